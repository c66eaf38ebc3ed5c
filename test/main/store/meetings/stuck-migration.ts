import { writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { meetings } from '../../../../src/main/store/migrations/0060-meetings.ts'
import { prepareForWriting } from '../../../../src/main/store/open-file.ts'

// Runs the whole migration, reports it, and never commits. Started by migration.test.ts, which kills it.
const db = new Database(process.argv[2])
prepareForWriting(db)
// So little memory that pages of the open transaction are written to the WAL before the end.
db.pragma('cache_size = 5')
db.transaction(() => {
  meetings.up(db)
  db.exec(`INSERT INTO meetings(item_seq, source, state, channels, sample_rate, has_sound, analysed, account_id, prompt, hotwords)
    SELECT seq, 'recording', 'stopped', '[]', 1, 1, '[]', '', printf('%.20000c', 'x'), '[]' FROM items`)
  db.pragma('user_version = 60')
  writeSync(1, 'done\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}).immediate()
