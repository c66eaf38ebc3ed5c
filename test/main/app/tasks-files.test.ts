import { expect, test } from 'vitest'
import { memoryKeychain, testApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { sineWav } from '../../fixtures/wav.ts'
import { key, reply } from './task-setup.ts'

test('downloads result files from the host of the account, or reports them as missing', async () => {
  const server = await startScriptedServer()
  const audio = Buffer.from(sineWav({ seconds: 1, hz: 300 })).toString('base64')
  const choices = [{ message: { content: 'Spoken', audio: { id: 'a', data: audio } } }]
  const videos = [{ url: `${server.url}/video.mp4`, cover_image_url: `${server.url}/cover.mp4` }]
  server.always(({ url }) => {
    if (url.endsWith('/talk')) return reply({ task_status: 'SUCCESS', choices })
    if (url.endsWith('/film')) return reply({ task_status: 'SUCCESS', video_result: videos })
    // Permanently gone: files that may still appear (404) are retried for minutes.
    return reply({}, 410)
  })
  const lectern = await testApp({ keychain: memoryKeychain() })
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: server.url,
  })
  await lectern.call('accounts.setKey', { id: account.id, key })
  await lectern.call('accounts.activate', { id: account.id })
  const film = await lectern.call('tasks.watch', { taskId: 'film' })
  const talk = await lectern.call('tasks.watch', { taskId: 'talk' })
  await eventually(async () => {
    const spoken = await lectern.call('tasks.get', { id: talk.id })
    expect(spoken.files).toMatchObject([{ role: 'audio', state: 'kept', mime: 'audio/wav' }])
    const shot = await lectern.call('tasks.get', { id: film.id })
    expect(shot.files).toMatchObject([
      { role: 'video', state: 'missing', error: { service: { status: 410 } } },
      { role: 'cover', state: 'missing' },
    ])
  })
  await lectern.remove()
  await server.close()
})
