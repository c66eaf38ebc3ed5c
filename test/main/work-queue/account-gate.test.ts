import { expect, test } from 'vitest'
import type { Failure } from '../../../src/shared/contract/reply.ts'
import { createGate, type Gate } from '../../../src/main/work-queue/account-gate.ts'

const failure = (code: Failure['code']): Failure => ({
  code,
  message: code,
  retriable: true,
  at: 0,
})

function setup(): { readonly gate: Gate; pass(ms: number): void } {
  let now = 1_000_000
  return { gate: createGate(() => now), pass: (ms) => void (now += ms) }
}

test('sends one probe instead of everything while the account is closed', () => {
  const { gate, pass } = setup()
  expect(gate.admits(5)).toBe(true)
  gate.close('offline', 2_000, failure('OFFLINE'))
  expect(gate.admits(0)).toBe(false)
  pass(2_000)
  expect(gate.admits(1)).toBe(false)
  expect(gate.admits(0)).toBe(true)
  // The probe is in flight: nothing else is planned.
  expect(gate.nextAt).toBeNull()
  expect(gate.opened()).toBe(true)
  expect(gate.admits(5)).toBe(true)
})

test('counts an outage once, however many parts were in flight', () => {
  const { gate } = setup()
  for (let n = 0; n < 4; n++) gate.close('offline', 2_000, failure('OFFLINE'))
  expect(gate.failures).toBe(1)
})

test('stays closed for a rejected account until something improves', () => {
  const { gate, pass } = setup()
  gate.close('account', null, failure('KEY_REJECTED'))
  pass(86_400_000)
  expect(gate.admits(0)).toBe(false)
  expect(gate.error?.code).toBe('KEY_REJECTED')
  gate.wake()
  expect(gate.admits(0)).toBe(true)
})

test('treats three different failing parts in a row as a failing provider, but not one part that fails thrice', () => {
  const { gate } = setup()
  for (let n = 0; n < 3; n++) gate.failed('a', 2_000, failure('SERVER_ERROR'))
  expect(gate.closed).toBeNull()
  for (const id of ['b', 'c']) gate.failed(id, 2_000, failure('SERVER_ERROR'))
  expect(gate.closed).toBe('failing')
})

test('probes at once after a clock was set back', () => {
  const { gate, pass } = setup()
  gate.close('offline', 2_000, failure('OFFLINE'))
  pass(-86_400_000)
  expect(gate.admits(0)).toBe(true)
})
