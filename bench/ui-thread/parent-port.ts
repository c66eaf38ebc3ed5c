import { portsWith } from './program-port.ts'

// Loaded in front of the built core where it is a child of plain Node: gives it the port that a utility process of Electron has.
Object.defineProperty(process, 'parentPort', {
  value: {
    postMessage: (message: object): void => void process.send?.(message),
    on: (_event: 'message', listener: (event: object) => void): unknown =>
      process.on('message', (data: unknown) => listener({ data, ports: portsWith(data) })),
  },
})
