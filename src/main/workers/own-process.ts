import { Worker } from 'node:worker_threads'
import { neededEnv } from '../../system/own-process/env.ts'
import { outOfMemory, type FromProcess, type ToProcess } from '../../system/own-process/messages.ts'
import { setupSteadyThreads } from '../../system/v8-wasm-workaround.ts'
import { privateByDefault } from '../platform/security/private-files.ts'

// A program in a separate process: it works in a thread, and the main thread monitors the memory. Memory that a library unpacks
// is outside of V8's heaps, where no limit of a thread applies; only the process can be limited, and stopped immediately.

setupSteadyThreads()
privateByDefault()

/** Milliseconds between two checks: images and streams are unpacked at a few hundred megabytes per second. */
const checkMs = 40
/** Milliseconds for the last messages to be delivered over a port. */
const exitDelayMs = 30

/** Channel to the parent process. */
interface Parent {
  post(message: FromProcess, sent?: () => void): void
  listen(listener: (message: ToProcess) => void): void
}

function serve(parent: Parent): void {
  let worker: Worker | null = null
  let maxBytes = Number.POSITIVE_INFINITY

  const end = (): never => process.exit(0)
  const postAndExit = (message: FromProcess): void => parent.post(message, end)

  const watch = (): void => {
    const start = process.memoryUsage.rss()
    const timer = setInterval(() => {
      if (process.memoryUsage.rss() - start <= maxBytes) return
      clearInterval(timer)
      postAndExit({ t: 'error', message: 'It used too much memory', code: outOfMemory })
    }, checkMs)
  }

  parent.listen((message) => {
    if (message.t === 'growth') maxBytes = message.maxBytes
    if (message.t === 'message') worker?.postMessage(message.data)
    if (message.t !== 'start' || worker) return
    const { url, name, data, heapMegabytes, maxGrowth } = message.program
    maxBytes = maxGrowth
    worker = new Worker(new URL(url), {
      name,
      workerData: data,
      env: neededEnv(process.env),
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    worker.on('message', (answer: unknown) => parent.post({ t: 'message', data: answer }))
    worker.once('error', (error: NodeJS.ErrnoException) =>
      postAndExit({ t: 'error', message: error.message, code: error.code ?? null }),
    )
    worker.once('exit', () => setTimeout(end, exitDelayMs))
    watch()
  })
}

/** Returns the parent of a plain Node child process. */
function childOfNode(): Parent {
  // The parent is gone.
  process.once('disconnect', () => process.exit(0))
  return {
    post: (message, sent) => void process.send?.(message, undefined, undefined, () => sent?.()),
    listen: (listener) => void process.on('message', listener),
  }
}

/** Runs as a utility process of Electron: the port to the client arrives with the first message. */
function utilityProcess(parent: NonNullable<typeof process.parentPort>): void {
  parent.once('message', ({ ports: [port] }) => {
    if (!port) return process.exit(1)
    port.on('close', () => process.exit(0))
    serve({
      post(message, sent) {
        port.postMessage(message)
        if (sent) setTimeout(sent, exitDelayMs)
      },
      listen: (listener) => void port.on('message', ({ data }) => listener(data as ToProcess)),
    })
    port.start()
    return undefined
  })
}

if (process.parentPort) utilityProcess(process.parentPort)
else serve(childOfNode())
