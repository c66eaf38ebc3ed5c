// Narrates a text and kills itself during a segment after the twentieth. argv: home, account ID, key, narration ID.
import { keychainWith, testApp } from '../../fixtures/app.ts'

const [home = '', accountId = '', key = '', id = ''] = process.argv.slice(2)
const keychain = await keychainWith(home, accountId, key)
const lectern = await testApp({ home, keychain })
let done = 0
const end = lectern.until(({ channel, event }) => {
  if (channel !== 'app' || event.type !== 'speech.segments' || event.segments === null) return false
  for (const { state } of event.segments) if (state === 'done') done += 1
  const now = done >= 20 && event.segments.some(({ state }) => state === 'speaking')
  // The row is marked as running: nothing in this process will correct that.
  if (now) process.kill(process.pid, 'SIGKILL')
  return now
})
await lectern.call('speech.speak', { id })
await end
