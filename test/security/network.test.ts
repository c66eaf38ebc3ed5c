import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryKeychain, testApp, type TestApp } from '../fixtures/app.ts'
import { startScriptedServer, type ScriptedServer } from '../fixtures/scripted-server.ts'

// Attacks on the route of keys: a script in the page sets its own proxy or certificate authority.

const key = 'a-key-that-nobody-else-gets-0123'

let proxy: ScriptedServer
let lectern: TestApp
beforeEach(async () => {
  proxy = await startScriptedServer({ connect: 200 })
  proxy.always({ status: 200, body: '{}' })
})
afterEach(async () => {
  await lectern.remove()
  await proxy.close()
})

const attacks = async (): Promise<void> => {
  await lectern.raw('settings.update', { proxy: proxy.url, caFile: '/etc/hosts' })
  await lectern.raw('settings.update', { proxy: proxy.url })
  await lectern.raw('settings.update', { certificates: [] })
  await lectern.raw('network.setProxy', { proxy: proxy.url })
  await lectern.raw('network.addCertificates', { path: '/etc/hosts' })
  await lectern.raw('network.addCertificates', {})
  await lectern.raw('network.removeCertificates', {})
}

test.each([
  ['whose host cannot ask the user', undefined],
  ['whose user declines', { confirm: async () => false, chooseCertificates: async () => null }],
])(
  'prevents a page from routing the key of an app %s through its own proxy',
  async (_name, trust) => {
    lectern = await testApp({ keychain: memoryKeychain(), ...(trust && { trust }) })
    const { id } = await lectern.call('accounts.create', {
      preset: 'custom',
      name: 'Mine',
      baseUrl: 'https://service.invalid/api',
    })
    await lectern.call('accounts.setKey', { id, key })
    const before = await lectern.call('settings.get', {})
    await attacks()
    expect(await lectern.call('settings.get', {})).toEqual(before)
    await lectern.call('accounts.check', { id, callId: 'check-through-proxy' })
    expect(proxy.connections()).toBe(0)
  },
)
