import { writeSync } from 'node:fs'
import { openStore } from '../../../../src/main/library-database/open.ts'
import { addItem, putText, storeOptions } from './fixture.ts'

// Writes until it is killed, and prints each number only after its commit. Started by crash.test.ts.
const [home = '', start = '0'] = process.argv.slice(2)
const store = await openStore(storeOptions(home))
writeSync(1, 'ready\n')
for (let n = Number(start); ; n++) {
  const text = `committed text ${n} 已提交 ${'and more words '.repeat(n % 200)}`
  addItem(store, `i${n}`, `Item ${n}`, text, n)
  // Another transcription replaces the text.
  putText(store, `i${n}`, `${text} grown${n}`)
  if (n % 50 === 49) store.items.purge([`i${n - 10}`])
  writeSync(1, `${n}\n`)
}
