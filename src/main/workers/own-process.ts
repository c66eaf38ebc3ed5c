import { Worker } from 'node:worker_threads'
import { neededEnv } from '../../system/own-process/env.ts'
import { outOfMemory, type FromProcess, type ToProcess } from '../../system/own-process/messages.ts'
import { setupSteadyThreads } from '../../system/v8-wasm-workaround.ts'
import { privateByDefault } from '../security/private-files.ts'

// A program in a process of its own: it works in a thread, and this one looks at the memory meanwhile. Memory that a library unpacks
// lies outside of V8's heaps, where no limit of a thread reaches; the process is what can be bounded, and ended at once.

setupSteadyThreads()
privateByDefault()

/** Milliseconds between two looks: pictures and streams are unpacked at some hundred megabytes a second. */
const checkMs = 40
/** Milliseconds that the last words get on their way over a port. */
const exitDelayMs = 30

/** The way to whoever began this process. */
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
      postAndExit({ t: 'error', message: 'It took too much memory', code: outOfMemory })
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

/** A child of plain Node. */
function childOfNode(): Parent {
  // Nobody is left to work for.
  process.once('disconnect', () => process.exit(0))
  return {
    post: (message, sent) => void process.send?.(message, undefined, undefined, () => sent?.()),
    listen: (listener) => void process.on('message', listener),
  }
}

/** A utility process of Electron: the port to whoever asked comes with the first message. */
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
