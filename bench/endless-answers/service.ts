import { startEndlessServer } from '../../test/fixtures/endless-server.ts'

// A server in its own process whose answers never end: sends its address, exits with its parent.

const server = await startEndlessServer()
process.send?.(server.url(''))
process.on('disconnect', () => process.exit(0))
