import { expect, test } from 'vitest'
import { contentId } from '../../../../src/main/platform/files/content-id.ts'
import { displayName } from '../../../../src/main/platform/files/display-name.ts'
import { sniff } from '../../../../src/main/platform/files/sniff.ts'

const bytes = (text: string): Buffer => Buffer.from(text.padEnd(128, '\0'), 'latin1')
const ebml = '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84'

test.each([
  ['audio/wav', 'RIFF\x24\0\0\0WAVEfmt '],
  ['audio/mpeg', 'ID3\x04\0\0\0\0\0\0'],
  ['audio/mpeg', '\xff\xfb\x90\x64'],
  ['audio/mp4', '\0\0\0\x20ftypM4A '],
  ['video/mp4', '\0\0\0\x20ftypisom'],
  ['audio/ogg', 'OggS\0\x02OpusHead'],
  ['video/ogg', 'OggS\0\x02\x80theora'],
  ['audio/flac', 'fLaC\0\0\0\x22'],
  ['audio/webm', `${ebml}webm...A_OPUS`],
  ['video/webm', `${ebml}webm...V_VP9`],
  ['application/octet-stream', `${ebml}matroska`],
  ['application/pdf', '%PDF-1.7'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['application/octet-stream', '\x89PNG broken'],
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['application/octet-stream', '<svg onload="alert(1)">'],
  ['application/octet-stream', 'MZ\x90\0'],
  ['application/octet-stream', 'BM is how a text may begin'],
  ['application/pdf', 'From a mail program\r\n%PDF-1.4'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\x24\0\0\0WEBP'],
  ['image/bmp', 'BM\xa0\x0f\0\0'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['image/avif', '\0\0\0\x20ftypavif'],
  ['image/heic', '\0\0\0\x20ftypheic'],
])('detects %s by its bytes', (mime, head) => {
  expect(sniff(bytes(head), 4000)).toBe(mime)
})

test.each([
  ['talk.wav', 'talk.wav'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\a.mp3', 'a.mp3'],
  ['exe\u202egnp.wav', 'exegnp.wav'],
  ['a\u0000b\u001b[31m\n.wav', 'ab[31m.wav'],
  ['<img src=x>?.wav', '_img src=x__.wav'],
  ['...', 'file'],
  ['', 'file'],
  ['会议 记录.m4a', '会议 记录.m4a'],
  ['Über'.normalize('NFD'), 'Über'.normalize('NFC')],
  [`${'x'.repeat(500)}.flac`, `${'x'.repeat(195)}.flac`],
  ['a\ud800b', 'ab'],
  ['\\\\server\\share\\Report.pdf', 'Report.pdf'],
  ['name. . ', 'name'],
  [`${'x'.repeat(199)}. .`, 'x'.repeat(199)],
  [`${'x'.repeat(194)}. ...flac`, `${'x'.repeat(194)}.flac`],
  ['CON', 'CON_'],
  ['con.tar.gz', 'con_.tar.gz'],
  ['Lpt1 .txt', 'Lpt1_ .txt'],
  ['com\u00b9.wav', 'com\u00b9_.wav'],
  ['CONIN$.log', 'CONIN$_.log'],
  ['context.txt', 'context.txt'],
  ['a.con', 'a.con'],
  ['com.txt', 'com.txt'],
])('shows the name %j as %j', (name, shown) => {
  expect(displayName(name)).toBe(shown)
})

test('never cuts a long name inside a character', () => {
  for (let pad = 0; pad < 4; pad++) {
    const shown = displayName(`${'a'.repeat(pad)}${'𠮷'.repeat(300)}.wav`)
    expect(shown.isWellFormed()).toBe(true)
    expect(shown.length).toBeLessThanOrEqual(200)
  }
})

test('an ID is the first 130 bits of the hash, in base32', () => {
  expect(contentId('00'.repeat(32))).toBe('a'.repeat(26))
  expect(contentId('ff'.repeat(32))).toBe('7'.repeat(26))
  expect(contentId(`08${'00'.repeat(31)}`)).toBe(`b${'a'.repeat(25)}`)
  expect(contentId(`${'00'.repeat(16)}40${'00'.repeat(15)}`)).toBe(`${'a'.repeat(25)}b`)
})
