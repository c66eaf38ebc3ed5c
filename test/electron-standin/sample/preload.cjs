const { contextBridge, ipcRenderer, webUtils } = require('electron')

ipcRenderer.on('port', (event) => window.postMessage('port', '*', event.ports))
contextBridge.exposeInMainWorld('sample', {
  invoke: (channel, value) => ipcRenderer.invoke(channel, value),
  path: (file) => webUtils.getPathForFile(file),
  /** Calls back with a value and gives what the callback gave. */
  back: (callback, value) => callback(value),
  deep: {
    list: [1, { two: 2 }],
    fail: () => {
      throw new RangeError('too far')
    },
  },
  later: () => Promise.reject(new Error('later')),
})
