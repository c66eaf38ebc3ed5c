import { expect, test } from 'vitest'
import { isInside, isPrivatePlace } from '../../../../src/main/platform/security/private-files.ts'

const anna = 'C:\\Users\\Anna'

test.each([
  [anna, true],
  ['C:\\Users\\Anna\\AppData\\Roaming\\Lectern', true],
  ['c:/users/ANNA/AppData', true],
  ['C:\\Users\\Annabel\\Lectern', false],
  ['C:\\Users\\Anna\\..\\Public', false],
  ['C:\\Users\\Anna\\..data', true],
  ['D:\\Lectern', false],
  ['\\\\server\\Users\\Anna\\Lectern', false],
])('on Windows %j is in the profile: %j', (home, inside) => {
  expect(isInside(anna, home, 'win32')).toBe(inside)
  expect(isPrivatePlace(home, anna, 'win32')).toBe(inside)
})

test('modes decide on other systems, wherever a folder is', () => {
  expect(isInside('/home/an', '/home/anna', 'linux')).toBe(false)
  expect(isInside('/home/an', '/home/an/.config/Lectern', 'linux')).toBe(true)
  expect(isInside('/home/an', '/home/An/.config/Lectern', 'linux')).toBe(false)
  expect(isPrivatePlace('/srv/lectern', '/home/an', 'linux')).toBe(true)
})

test.each([
  ['/Users/Anna', '/users/ANNA/Library', true],
  ['/Users/Zo\u00eb', '/Users/Zoe\u0308/Library', true],
  ['/Users/Anna', '/Users/Annabel', false],
])('on macOS %j contains %j: %j', (folder, path, inside) => {
  expect(isInside(folder, path, 'darwin')).toBe(inside)
})
