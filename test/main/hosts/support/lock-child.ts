import { lockHome } from '../../../../src/main/hosts/support/instance.ts'

/** Locks a data folder until it is killed. */
const lock = lockHome(process.argv[2] ?? '')
lock?.announce({ host: 'loopback', pid: process.pid, port: 4000, secret: 'left behind' })
process.send?.(lock === null ? 'refused' : 'held')
setInterval(() => {}, 1000)
