import { expect, test } from 'vitest'
import { useRecording } from '../../../../src/renderer/src/domains/audio/recordings/recordings-store.ts'
import { failure, transcript } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

async function opened(id: string) {
  const app = rendererSetup()
  const recording = app.run(useRecording)
  void recording.open(id)
  await app.settle()
  return { ...app, recording }
}

test('shows the newest version of an opened recording; an older one can be selected', async () => {
  const { recording } = await opened('speech')
  expect(recording.version?.id).toBe('t-speech-2')
  recording.chosenVersion = 't-speech-1'
  expect(recording.version?.model).toBe('glm-asr-2512')
})

test('shows the text so far of a running transcription, then new text, then the saved one', async () => {
  const { recording, main, settle } = await opened('running')
  expect(recording.live).toMatch(/^Good morning/)
  main.stream({ streamId: 'stream-running', seq: 3, type: 'delta', text: 'and so on.' })
  expect(recording.live).toMatch(/databases, and so on\.$/)
  const item = main.items.get('running')
  if (!item?.job) throw new Error('the fixture has no running job')
  const text = 'Good morning. That was all.'
  main.items.set('running', {
    ...item,
    job: { ...item.job, state: 'done', updatedAt: item.job.updatedAt + 1 },
    transcripts: [transcript('t-new', 'running', text)],
  })
  main.stream({ streamId: 'stream-running', seq: 4, type: 'end', text })
  expect(recording.live).toBe(text)
  await settle()
  expect(recording.live).toBeNull()
  expect(recording.version?.text).toBe(text)
  expect(recording.busy).toBe(false)
})

test('leaves the stream running when a recording is closed', async () => {
  const { recording, main, settle } = await opened('running')
  recording.close()
  await settle()
  expect(main.requests.map(({ route }) => route)).toContain('streams.detach')
  expect(main.requests.map(({ route }) => route)).not.toContain('transcriptions.stop')
  main.stream({ streamId: 'stream-running', seq: 3, type: 'delta', text: 'late' })
  expect(recording.live).toBeNull()
})

test('ignores the response for a recording that was closed', async () => {
  const app = rendererSetup()
  const recording = app.run(useRecording)
  void recording.open('speech')
  void recording.open('review')
  await app.settle()
  expect(recording.item?.id).toBe('review')
})

test('follows the new stream after a retry', async () => {
  const { recording, main, settle } = await opened('cut')
  expect(recording.job?.error?.code).toBe('STREAM_CUT')
  void recording.retry()
  await settle()
  expect(recording.job?.state).toBe('running')
  expect(recording.live).not.toBeNull()
  const retried = main.requests.find(({ route }) => route === 'transcriptions.retry')
  expect(retried?.payload).toMatchObject({ jobId: 'job-cut' })
  expect(recording.job?.streamId).toMatch(/^[A-Za-z0-9_-]{8,64}$/)
})

test('reverts a name that main rejects, and keeps the reason', async () => {
  const app = rendererSetup({ fail: { 'library.rename': failure('READ_ONLY') } })
  const other = app.run(useRecording)
  void other.open('review')
  await app.settle()
  void other.rename('Another name')
  expect(other.item?.title).toBe('Another name')
  await app.settle()
  expect(other.item?.title).toBe('Design review: search')
  expect(other.actionFailure?.code).toBe('READ_ONLY')
})

test('reverts only the name when main rejects it', async () => {
  const { recording, main, client, settle } = await opened('review')
  const refused = Promise.withResolvers<unknown>()
  const send = client.request
  Object.assign(client, {
    request: (route: string, payload: never) =>
      route === 'library.rename' ? refused.promise : send(route as never, payload),
  })
  const renaming = recording.rename('Another name')
  const item = main.items.get('review')
  if (!item) throw new Error('the fixture has no such item')
  main.items.set('review', { ...item, updatedAt: item.updatedAt + 5 })
  main.app({ type: 'library.changed', itemIds: ['review'] })
  await settle()
  refused.resolve({ ok: false, error: failure('READ_ONLY') })
  await renaming
  expect(recording.item?.updatedAt).toBe(item.updatedAt + 5)
  expect(recording.item?.title).toBe('Design review: search')
})

test('does not send an empty name', async () => {
  const { recording, main, settle } = await opened('review')
  void recording.rename('   ')
  await settle()
  expect(recording.item?.title).toBe('Design review: search')
  expect(main.requests.some(({ route }) => route === 'library.rename')).toBe(false)
})

test('ignores older job updates after newer ones', async () => {
  const { recording, main } = await opened('running')
  const job = recording.job
  if (!job) throw new Error('the fixture has no job')
  main.app({ type: 'job.changed', job: { ...job, progress: 0.9, updatedAt: job.updatedAt + 10 } })
  main.app({ type: 'job.changed', job: { ...job, progress: 0.1, updatedAt: job.updatedAt + 5 } })
  expect(recording.job?.progress).toBe(0.9)
})
