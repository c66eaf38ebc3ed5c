import { portsWith } from './program-port.ts'

// Loaded before the built core when it is a child of plain Node: provides the port that an Electron utility process has.
Object.defineProperty(process, 'parentPort', {
  value: {
    postMessage: (message: object): void => void process.send?.(message),
    on: (_event: 'message', listener: (event: object) => void): unknown =>
      process.on('message', (data: unknown) => listener({ data, ports: portsWith(data) })),
  },
})
