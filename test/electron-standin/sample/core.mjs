// Utility process of the sample: replies to what it receives, to messages of a port, and through the ports sent with
// them.
process.parentPort.on('message', ({ data, ports }) => {
  if (data === 'port') {
    const [port] = ports
    port.on('message', ({ data: asked, ports: others }) => {
      for (const other of others) other.postMessage('through the other port')
      if (asked === 'close') port.close()
      else port.postMessage({ asked, bytes: new Uint8Array([1, 2, 3]) })
    })
    port.on('close', () => process.parentPort.postMessage('the port is closed'))
    port.start()
    return
  }
  process.parentPort.postMessage({
    data,
    type: process.type,
    args: process.argv.slice(2),
    send: typeof process.send,
  })
})
