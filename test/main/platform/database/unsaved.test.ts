import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { createUnsaved } from '../../../../src/main/platform/database/unsaved.ts'
import { memoryLog } from './fixture.ts'

const full = (): never => {
  throw new AppError('DISK_FULL', 'There is no room')
}

test('data received while Lectern is closing does not delay it on a full disk', async () => {
  const reported: unknown[] = []
  const { keep, shutdown } = createUnsaved({
    log: memoryLog(),
    onChange: (unsaved) => reported.push(unsaved),
  })
  const waiting = keep(full)
  await shutdown()
  await expect(waiting).rejects.toMatchObject({ code: 'DISK_FULL' })
  await expect(keep(full)).rejects.toMatchObject({ code: 'DISK_FULL' })
  await expect(keep(() => 'kept')).resolves.toBe('kept')
  expect(reported.at(-1)).toBeNull()
})

test('data received after erasing waits for the store again', async () => {
  const { keep, stopAll } = createUnsaved({ log: memoryLog(), onChange: () => undefined })
  await stopAll()
  let tries = 0
  const result = await keep(() => {
    tries += 1
    return tries < 2 ? full() : 'kept'
  })
  expect([result, tries]).toEqual(['kept', 2])
})
