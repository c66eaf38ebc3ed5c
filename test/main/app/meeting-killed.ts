// Works on meetings and kills itself without warning. argv: home, account ID, key, the file to import or nothing, and when:
// at the first event of a meeting being imported, or at the n-th event with lines.
import { readFile } from 'node:fs/promises'
import { keychainWith, testApp } from '../../fixtures/app.ts'
import { importFile } from './meeting-setup.ts'

const [home = '', accountId = '', key = '', file = '', when = ''] = process.argv.slice(2)
const keychain = await keychainWith(home, accountId, key)
const lectern = await testApp({ home, keychain })
let lines = 0
const end = lectern.until(({ channel, event }) => {
  if (channel !== 'app') return false
  if (event.type === 'meeting.lines' && event.lines.length > 0) lines += 1
  const importing = event.type === 'meeting.changed' && event.meeting.state === 'importing'
  const now = when === 'importing' ? importing : lines >= Number(when)
  // Before any other code of this turn runs.
  if (now) process.kill(process.pid, 'SIGKILL')
  return now
})
if (file !== '') await importFile(lectern, 'talk.wav', await readFile(file), accountId)
await end
