import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import { asOrdinaryUser } from '../../../../../fixtures/ordinary-user.ts'
import {
  writeCopy,
  type CopyTarget,
} from '../../../../../../src/main/domains/library/service/saves/write-copy.ts'

let folder = ''
let home = ''
const umask = process.umask()
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lectern-copy-')))
  home = join(folder, 'data')
  await mkdir(home)
  // As in the app: files it creates belong only to their owner.
  process.umask(0o077)
})
afterEach(async () => {
  process.umask(umask)
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true, force: true })
})

const target = (name: string, more: Partial<CopyTarget> = {}): CopyTarget => ({
  path: join(folder, name),
  mode: 0o644,
  home,
  ...more,
})
const fill =
  (text: string) =>
  (path: string): Promise<void> =>
    writeFile(path, text, { flag: 'wx' })
const names = async (): Promise<readonly string[]> => (await readdir(folder)).toSorted()
/** The code and the problem of the failure. */
const refused = async (copy: Promise<void>): Promise<unknown> => {
  const error: unknown = await copy.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return error instanceof AppError ? [error.code, error.params?.['problem']] : error
}
const systemError = (code: string): Error => Object.assign(new Error(code), { code })

describe('copies', () => {
  test('have the permissions of the user’s own files, whatever the process umask is', async () => {
    await writeCopy(target('a.txt'), fill('new'))
    expect((await stat(join(folder, 'a.txt'))).mode & 0o777).toBe(0o644)
    expect(await names()).toEqual(['a.txt', 'data'])
  })

  test('keep the permissions of a replaced file; hard links to it keep the old content', async () => {
    await writeFile(join(folder, 'a.txt'), 'old')
    await chmod(join(folder, 'a.txt'), 0o640)
    await link(join(folder, 'a.txt'), join(folder, 'twin.txt'))
    await writeCopy(target('a.txt'), fill('new'))
    expect((await stat(join(folder, 'a.txt'))).mode & 0o777).toBe(0o640)
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new')
    expect(await readFile(join(folder, 'twin.txt'), 'utf8')).toBe('old')
  })

  test('are written to the target of a link, and the link stays', async () => {
    await writeFile(join(folder, 'real.txt'), 'old')
    await symlink('real.txt', join(folder, 'link.txt'))
    await writeCopy(target('link.txt'), fill('new'))
    expect(await readFile(join(folder, 'real.txt'), 'utf8')).toBe('new')
    expect(await names()).toEqual(['data', 'link.txt', 'real.txt'])
  })

  test('leave the old file unchanged, and no other file, if interrupted', async () => {
    await writeFile(join(folder, 'a.txt'), 'old')
    const half = async (path: string): Promise<void> => {
      await writeFile(path, 'ne')
      throw systemError('ENOSPC')
    }
    expect(await refused(writeCopy(target('a.txt'), half))).toEqual(['DISK_FULL', undefined])
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('old')
    expect(await names()).toEqual(['a.txt', 'data'])
  })

  test('are never written to the data folder, directly or indirectly', async () => {
    await mkdir(join(home, 'media'))
    const inside = ['SAVE_FAILED', 'inside']
    expect(await refused(writeCopy(target('data/library.db'), fill('x')))).toEqual(inside)
    expect(await refused(writeCopy(target('data/media/x.txt'), fill('x')))).toEqual(inside)
    if (process.platform === 'win32') return
    await symlink(home, join(folder, 'shortcut'))
    expect(await refused(writeCopy(target('shortcut/x.txt'), fill('x')))).toEqual(inside)
    await symlink(join(home, 'library.db'), join(folder, 'database.txt'))
    await writeFile(join(home, 'library.db'), 'rows')
    expect(await refused(writeCopy(target('database.txt'), fill('x')))).toEqual(inside)
    // A folder whose name only starts with the same text is a different one.
    await mkdir(join(folder, 'data-exports'))
    await writeCopy(target('data-exports/x.txt'), fill('x'))
  })
})

test.each(['darwin', 'win32'])(
  'copies stay out of the data folder in any spelling of its name (%s)',
  async (platform) => {
    await mkdir(join(folder, 'DATA'), { recursive: true })
    const copy = writeCopy(target('DATA/library.db', { platform }), fill('x'))
    expect(await refused(copy)).toEqual(['SAVE_FAILED', 'inside'])
  },
)

describe('failure reasons', () => {
  test.each([
    ['EACCES', 'denied'],
    ['EROFS', 'denied'],
    ['ENAMETOOLONG', 'long'],
    ['EFBIG', 'large'],
    ['EIO', 'unknown'],
  ])('%s', async (code, problem) => {
    const broken = (): Promise<void> => Promise.reject(systemError(code))
    expect(await refused(writeCopy(target('a.txt'), broken))).toEqual(['SAVE_FAILED', problem])
    expect(await names()).toEqual(['data'])
  })

  test('reports a missing folder, or a folder with the file name', async () => {
    expect(await refused(writeCopy(target('gone/a.txt'), fill('x')))).toEqual([
      'SAVE_FAILED',
      'gone',
    ])
    await mkdir(join(folder, 'a.txt'))
    expect(await refused(writeCopy(target('a.txt'), fill('x')))).toEqual(['SAVE_FAILED', 'held'])
  })

  test('reports a folder that is not writable', async () => {
    await chmod(folder, 0o555)
    await asOrdinaryUser(async () => {
      const copy = writeCopy(target('a.txt'), fill('x'))
      expect(await refused(copy)).toEqual(['SAVE_FAILED', 'denied'])
    })
  })

  test('leaves a file that another program has open unchanged, and reports it', async () => {
    await writeFile(join(folder, 'a.txt'), 'old')
    const move = (): Promise<void> => Promise.reject(systemError('EPERM'))
    const copy = writeCopy(target('a.txt', { move }), fill('new'))
    expect(await refused(copy)).toEqual(['SAVE_FAILED', 'held'])
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('old')
    expect(await names()).toEqual(['a.txt', 'data'])
    // If there is no file, no program can have it open.
    const fresh = writeCopy(target('b.txt', { move }), fill('new'))
    expect(await refused(fresh)).toEqual(['SAVE_FAILED', 'denied'])
  })
})
