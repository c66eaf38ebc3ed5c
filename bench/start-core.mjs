// The built core as a child of Node: the channel to its parent is its connection to the host. JavaScript, so that no types
// are stripped during the measurement.
Object.defineProperty(process, 'parentPort', {
  value: {
    postMessage: (message) => process.send(message),
    on: (_event, listener) => process.on('message', (data) => listener({ data, ports: [] })),
  },
})
process.once('disconnect', () => process.exit())
await import(new URL('../out/main/core.js', import.meta.url).href)
