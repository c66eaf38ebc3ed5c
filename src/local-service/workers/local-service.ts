import { MessageChannel, parentPort, workerData } from 'node:worker_threads'
import { nodePort, processOverPort } from '../../system/own-process/port.ts'
import type { OpenProcess } from '../../system/own-process/program.ts'
import type {
  LocalServiceMessage,
  LocalServiceRequest,
  LocalServiceWorkerData,
} from '../protocol.ts'
import { createLibraryQuestions } from '../library-questions.ts'
import { startLocalService, type RunningLocalService } from '../server.ts'

/** Runs the whole service off the main thread. Ends the worker after `stop`, or when the service cannot start. */
async function run(
  port: NonNullable<typeof parentPort>,
  data: LocalServiceWorkerData,
): Promise<void> {
  const emit = (message: LocalServiceMessage): void => port.postMessage(message)
  const questions = createLibraryQuestions(emit)
  // Electron can start processes only from its main process, so they are requested from it.
  const openProcess: OpenProcess = () => {
    const { port1, port2 } = new MessageChannel()
    port.postMessage({ type: 'process', port: port2 } satisfies LocalServiceMessage, [port2])
    return processOverPort(Promise.resolve(nodePort(port1)))
  }
  let service: RunningLocalService
  try {
    service = await startLocalService({
      port: data.port ?? 0,
      key: data.key,
      home: data.home,
      modelsDir: data.modelsDir,
      workerUrls: {
        speech: new URL(data.workerUrls.speech),
        text: new URL(data.workerUrls.text),
        pages: new URL(data.workerUrls.pages),
      },
      openProcess,
      faults: data.faults ?? false,
      library: data.library ? questions.ask : null,
    })
  } catch (error) {
    emit({ type: 'failed', reason: error instanceof Error ? error.message : String(error) })
    return
  }
  port.on('message', (message: LocalServiceRequest) => {
    if (message.type === 'passages') return questions.answered(message)
    questions.stop()
    // The port is the last resource that keeps the worker alive.
    void service.stop().finally(() => port.close())
  })
  emit({ type: 'ready', url: service.url })
}

if (parentPort) await run(parentPort, workerData as LocalServiceWorkerData)
