// Tracks a task and kills itself at the first event of a type. argv: home, account ID, key, task ID, event type.
import { keychainWith, testApp } from '../../fixtures/app.ts'

const [home = '', accountId = '', key = '', taskId = '', when = ''] = process.argv.slice(2)
const keychain = await keychainWith(home, accountId, key)
const lectern = await testApp({ home, keychain })
const end = lectern.until(({ channel, event }) => {
  if (channel !== 'app') return false
  const polled = event.type === 'activity.added' && event.call.operation === 'tasks.get'
  const reported = event.type === 'task.changed' && event.task.state === 'succeeded'
  const now = when === 'activity.added' ? polled : reported
  // Before any other code of this turn runs: the response is read, or stored, but not reported.
  if (now) process.kill(process.pid, 'SIGKILL')
  return now
})
await lectern.call('tasks.watch', { taskId, accountId })
await end
