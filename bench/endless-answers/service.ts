import { startEndlessServer } from '../../test/fixtures/endless-server.ts'

// A service in a process of its own whose answers never end: sends its address, ends with its parent.

const server = await startEndlessServer()
process.send?.(server.url(''))
process.on('disconnect', () => process.exit(0))
