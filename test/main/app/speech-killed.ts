// Speaks a text and ends itself without warning while a piece behind the twentieth is spoken: argv is home, account id, key, speech id.
import { keychainWith, testApp } from '../../fixtures/app.ts'

const [home = '', accountId = '', key = '', id = ''] = process.argv.slice(2)
const keychain = await keychainWith(home, accountId, key)
const lectern = await testApp({ home, keychain })
let done = 0
const end = lectern.until(({ channel, event }) => {
  if (channel !== 'app' || event.type !== 'speech.segments' || event.segments === null) return false
  for (const { state } of event.segments) if (state === 'done') done += 1
  const now = done >= 20 && event.segments.some(({ state }) => state === 'speaking')
  // The row says that it is being spoken: nothing of this process will put that right.
  if (now) process.kill(process.pid, 'SIGKILL')
  return now
})
await lectern.call('speech.speak', { id })
await end
