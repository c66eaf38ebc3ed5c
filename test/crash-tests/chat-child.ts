import { writeSync } from 'node:fs'
import { memoryKeychain, testApp } from '../fixtures/app.ts'
import type { AgentSettings } from '../../src/shared/model/chat.ts'

// Child process to be killed: asks one question after another, and reports what its page has received of each answer.
const [home = '', baseUrl = '', key = '', how = ''] = process.argv.slice(2)
// Written synchronously: data in the pipe outlives this process.
const say = (name: string, value: unknown): void =>
  void writeSync(1, `${name} ${JSON.stringify(value)}\n`)

const keychain = memoryKeychain()
const lectern = await testApp({ home, keychain })
const accounts = await lectern.call('accounts.list', {})
let account = accounts.find(({ name }) => name === 'Scripted')
account ??= await lectern.call('accounts.create', { preset: 'custom', name: 'Scripted', baseUrl })
await lectern.call('accounts.update', { id: account.id, profile: { ...account.profile, baseUrl } })
await lectern.call('accounts.setKey', { id: account.id, key })
await lectern.call('accounts.activate', { id: account.id })

if (how === 'look') {
  // Any request waits for the repair of an earlier run.
  await lectern.raw('chats.regenerate', { messageId: 'none', streamId: 'looking-around' })
  for (const { id } of (await lectern.call('chats.list', { limit: 200 })).conversations) {
    const { messages } = await lectern.call('chats.window', { id, limit: 200 })
    say('conversation', messages)
    say('draft', (await lectern.call('chats.get', { id })).draft?.text ?? '')
  }
  say('looked', null)
  // Waits to be killed: a regular shutdown is not tested here.
  setInterval(() => {}, 1000)
} else {
  const settings: AgentSettings = {
    kind: 'agent',
    knowledgeIds: ['k1'],
    topK: null,
    topN: null,
    rerank: false,
    similarityThreshold: null,
    model: null,
    temperature: null,
    maxSteps: null,
    thinking: true,
  }
  const answers = new Map<string, string>()
  // Like a page: follows the streams it named, and joins those that were started for it.
  const join = async (answerId: string, streamId: string): Promise<void> => {
    answers.set(streamId, answerId)
    await lectern.raw('streams.attach', { streamId })
    const { batches } = await lectern.call('chats.events', { messageId: answerId })
    for (const batch of batches) say('seen', { answerId, batch })
  }
  void lectern.until(({ channel, event }) => {
    if (channel === 'stream' && event.type === 'events') {
      const answerId = answers.get(event.streamId)
      if (answerId !== undefined) say('seen', { answerId, batch: event.batch })
    }
    if (channel === 'app' && event.type === 'chat.message') {
      const { id: answerId, role, state, streamId } = event.message
      say('told', { id: answerId, role, state })
      if (state === 'running' && streamId !== null && !answers.has(streamId))
        void join(answerId, streamId)
    }
    return false
  }, 3_600_000)
  const { id } = await lectern.call('chats.create', { settings })
  for (let n = 1; n <= 3; n++) {
    const streamId = `crash-test-${process.pid}-${n}`
    const sent = await lectern.call('chats.ask', { id, text: `Question ${n}?`, streamId })
    say('asked', { id, questionId: sent.question.id, text: sent.question.text })
  }
  say('running', id)
  // Queued questions are repeatedly edited and moved back to the draft.
  for (let n = 4; ; n++) {
    const ask = async (text: string, messageId?: string) => {
      const streamId = `crash-test-${process.pid}-${n}-${text.length}`
      const sent = messageId
        ? await lectern.call('chats.edit', { messageId, text, streamId })
        : await lectern.call('chats.ask', { id, text, streamId })
      say('written', text)
      return sent.question
    }
    const first = await ask(`[thought ${process.pid}.${n}]`)
    if (first.state !== 'queued') break
    const second = await ask(`[other words ${process.pid}.${n}]`, first.id)
    await lectern.raw('chats.unqueue', { messageId: second.id })
    say('takenBack', second.text)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
