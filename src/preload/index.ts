import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import { channels, type PushedEvent, type Transport } from '../shared/bridge/transport.ts'

/** All that the page can reach: one call, one subscription. The event object stays here, since it leads to the sender. */
const transport: Transport = {
  request: (route, payload) => ipcRenderer.invoke(channels.request, route, payload),
  on(listener) {
    const hear = (_event: IpcRendererEvent, pushed: PushedEvent): void => listener(pushed)
    ipcRenderer.on(channels.push, hear)
    return () => void ipcRenderer.removeListener(channels.push, hear)
  },
}

contextBridge.exposeInMainWorld('lectern', transport)
