import { writeSync } from 'node:fs'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import { storeOptions } from '../../../platform/database/fixture.ts'
import { aMeeting, transcribeAt } from './fixture.ts'

// Transcribes segment after segment until it is killed, and prints each number only after its commit. Started by
// crash.test.ts.
const [home = '', start = '0'] = process.argv.slice(2)
const store = await openStore(storeOptions(home))
if (!store.meetings.get('m')) store.meetings.create(aMeeting('m'))
writeSync(1, 'ready\n')
for (let n = Number(start); ; n++) {
  transcribeAt(store, 'm', `s${n}`, n % 2, n * 10_000, [`word${n} first`, `第${n}句`])
  const line = store.meetings.lines('m', 2 * n, 1)[0]
  if (n % 3 === 0)
    store.meetings.edit('m', { type: 'text', lineId: line?.id ?? '', text: `edited${n}` })
  if (n % 9 === 0) store.meetings.undo('m')
  writeSync(1, `${n}\n`)
}
