import { expect, test } from 'vitest'
import { appHandlers, type AppHandlerDeps } from '../../../../src/main/domains/library/routes.ts'

const context = { connection: { id: 'page', push() {} } }
const absent = (): never => {
  throw new Error('not part of this test')
}

test('reports a link as opened only if it was, and does not pass on a refused one', async () => {
  const handed: string[] = []
  let opens = true
  const deps: AppHandlerDeps = {
    clock: () => 0,
    info: absent,
    storage: { use: absent, kinds: absent, cleanUp: absent, eraseAll: absent },
    async openExternal(url) {
      handed.push(url)
      return opens
    },
  }
  const open = appHandlers(deps)['app.openExternal']
  expect(await open({ url: 'https://example.com' }, context)).toEqual({ opened: true })
  opens = false
  expect(await open({ url: 'https://example.com' }, context)).toEqual({ opened: false })
  await expect(async () => open({ url: 'file:///etc/passwd' }, context)).rejects.toMatchObject({
    code: 'REFUSED',
  })
  expect(handed).toEqual(['https://example.com/', 'https://example.com/'])
})
