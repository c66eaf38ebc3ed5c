import { writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { prepareForWriting } from '../../../../src/main/platform/database/open-file.ts'

// Runs a whole migration, reports it, and never commits. Started by migrate.test.ts, which kills it.
const db = new Database(process.argv[2])
prepareForWriting(db)
// So little memory that pages of the open transaction are written to the WAL before the end.
db.pragma('cache_size = 5')
db.transaction(() => {
  db.exec(`CREATE TABLE added(text TEXT);
    INSERT INTO added SELECT printf('%.20000c', 'x') FROM items;
    UPDATE items SET title = 'migrated'`)
  db.pragma('user_version = 99990')
  writeSync(1, 'done\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}).immediate()
