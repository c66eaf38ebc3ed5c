import { expect, test } from 'vitest'
import {
  externalLink,
  useExternalLinks,
} from '../../../../src/renderer/src/kit/use-external-links.ts'
import { useShell } from '../../../../src/renderer/src/lib/app-store.ts'
import { useToasts } from '../../../../src/renderer/src/kit/toasts.ts'
import type { AppInfo } from '../../../../src/shared/contract/app.ts'
import { rendererSetup } from '../../stores.ts'

test('shows a link by its whole host, or its mail address', () => {
  expect(externalLink('https://paypal.com.evil.example:8443/a?b=c')).toEqual({
    url: 'https://paypal.com.evil.example:8443/a?b=c',
    kind: 'site',
    place: 'paypal.com.evil.example:8443',
  })
  // Letters that look like others are shown as they are sent.
  expect(externalLink('http://аррle.com/')?.place).toBe('xn--le-6kc8da.com')
  expect(externalLink('mailto:keeper@sea.example?subject=Lamp')).toMatchObject({
    kind: 'mail',
    place: 'keeper@sea.example',
  })
})

test.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'ms-settings:privacy',
  'https://lectern.example@evil.example/',
  'https://',
  '#page=3',
])('never opens %s', (address) => {
  expect(externalLink(address)).toBeNull()
})

const on = (host: AppInfo['host']) => {
  const app = rendererSetup()
  const requests = (): unknown[] =>
    app.main.requests
      .filter(({ route }) => route === 'app.openExternal')
      .map(({ payload }) => payload)
  app.main.answer('app.openExternal', () => ({ opened: true }))
  const shell = app.run(useShell)
  shell.info = { host } as AppInfo
  return { ...app, requests, links: app.run(useExternalLinks), toasts: app.run(useToasts) }
}

test('opens nothing in a browser page before confirmation', async () => {
  const { links, requests, settle } = on('loopback')
  links.offer('https://sea.example/chart')
  await settle()
  expect(requests()).toEqual([])
  const link = links.pendingLink
  expect(link?.place).toBe('sea.example')
  if (link) expect(await links.open(link)).toBe(true)
  expect(requests()).toEqual([{ url: 'https://sea.example/chart' }])
})

test('lets a desktop host ask for confirmation itself, once', async () => {
  const { links, requests, settle } = on('electron')
  links.offer('https://sea.example/chart')
  await settle()
  expect(links.pendingLink).toBeNull()
  expect(requests()).toEqual([{ url: 'https://sea.example/chart' }])
})

test('reports a link that is not opened', async () => {
  const { links, requests, toasts, settle } = on('loopback')
  links.offer('javascript:alert(1)')
  await settle()
  expect([requests(), links.pendingLink]).toEqual([[], null])
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['documentPages.linkRefused'])
})
