// Child process to be killed: erases everything or restores a backup, reports its start; argv: action, home, keychain, backup.
import { writeSync } from 'node:fs'
import { testApp } from '../fixtures/app.ts'
import { fileKeychain } from '../fixtures/file-keychain.ts'

const [what = '', home = '', keychain = '', backup = ''] = process.argv.slice(2)
// Written synchronously: data in the pipe outlives this process.
const say = (line: string): void => void writeSync(1, `${line}\n`)
const app = await testApp({ home, keychain: fileKeychain(keychain) })
say('begin')
if (what === 'erase') await app.call('app.eraseAll', { confirm: 'erase everything' })
else await app.call('backups.restore', { id: backup })
say('end')
await app.stop()
