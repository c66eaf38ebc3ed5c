import { writeSync } from 'node:fs'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import { storeOptions } from '../../../platform/database/fixture.ts'
import { aPage, aPart, aReply, aVersion, facts, failure, newDocument } from './fixture.ts'

// Parses a document part by part until it is killed, and prints each page only after its commit. Started by
// crash.test.ts.
const [home = '', pages = '0'] = process.argv.slice(2)
const store = await openStore(storeOptions(home))
const { documents } = store
const count = Number(pages)
if (!documents.get('d')) newDocument(store, 'd', { facts: facts(count) })
if (!documents.version('v')) {
  const parts = Array.from({ length: count / 4 }, (_, at) =>
    aPart(`p${at}`, 4 * at + 1, 4 * at + 4),
  )
  documents.begin(aVersion('v', 'd', parts))
}
documents.restart()
writeSync(1, 'ready\n')
for (let at = 1; ; at++) {
  const part = documents.next({ accountId: 'a1', at })
  if (!part) break
  documents.sent(part.id)
  if (part.attempts === 0 && part.first % 3 === 0) {
    documents.fail(part.id, failure('RATE_LIMITED'), at)
    continue
  }
  if (part.last - part.first === 3 && part.first % 5 === 0) {
    documents.split(part.id, [
      aPart(`${part.id}a`, part.first, part.first + 1),
      aPart(`${part.id}b`, part.first + 2, part.last),
    ])
    continue
  }
  const numbers = Array.from({ length: part.last - part.first + 1 }, (_, n) => part.first + n)
  documents.reply(part.id, aReply(numbers.map((n) => aPage(n, `word${n} first`, `第${n}页`))))
  for (const n of numbers) writeSync(1, `${n}\n`)
}
setInterval(() => undefined, 1000)
