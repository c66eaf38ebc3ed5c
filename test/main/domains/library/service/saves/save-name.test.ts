import { expect, test } from 'vitest'
import { saveName } from '../../../../../../src/main/domains/library/service/saves/save-name.ts'

const wav = 'audio/wav'
const bytes = 'application/octet-stream'

test.each([
  // The defect of the name, the name, the content type, the suggested name.
  ['no change', 'Weekly review.wav', wav, 'Weekly review.wav'],
  ['no change for Chinese', '每周例会.pdf', 'application/pdf', '每周例会.pdf'],
  ['an uppercase extension', 'SCAN.PDF', 'application/pdf', 'SCAN.PDF'],
  ['a path', '../../.ssh/authorized_keys.txt', bytes, 'authorized_keys.txt'],
  ['a Windows path', 'C:\\Windows\\system32\\evil.txt', bytes, 'evil.txt'],
  ['an NTFS stream', 'report.txt:evil', bytes, 'report.txt_evil.bin'],
  ['a device name', 'con.txt', bytes, 'con_.txt'],
  ['a device name without an extension', 'NUL', 'image/png', 'NUL_.png'],
  ['a device name with two extensions', 'lpt1.tar.gz', bytes, 'lpt1_.tar.gz'],
  ['a device name with a superscript digit', 'COM¹.csv', bytes, 'COM¹_.csv'],
  ['a name that starts like a device name', 'console.txt', bytes, 'console.txt'],
  ['trailing dots and spaces', 'notes. . .', bytes, 'notes.bin'],
  ['a space before the extension', 'notes .txt', bytes, 'notes.txt'],
  ['a leading dot', '.bashrc', bytes, 'bashrc.bin'],
  ['a right-to-left override', 'invoice\u202Egnp.exe', bytes, 'invoicegnp.exe.bin'],
  ['a program', 'setup.exe', bytes, 'setup.exe.bin'],
  ['a shortcut', 'report.pdf.lnk', bytes, 'report.pdf.lnk.bin'],
  ['a program extension on an image', 'photo.scr', 'image/png', 'photo.scr.png'],
  ['the wrong extension', 'photo.jpg', 'image/png', 'photo.png'],
  ['a number after a dot', 'Talk 3.5', wav, 'Talk 3.5.wav'],
  ['another extension of the same type', 'scan.jpeg', 'image/jpeg', 'scan.jpeg'],
  ['JSON Lines declared as JSON', 'calls.jsonl', 'application/json', 'calls.jsonl'],
  ['JSON without an extension', 'calls', 'application/json', 'calls.json'],
  ['a web page, which runs scripts', 'report.html', bytes, 'report.html.bin'],
  ['a web page with the short extension', 'report.HTM', bytes, 'report.HTM.bin'],
  ['XML, which can choose the program that opens it', 'report.xml', bytes, 'report.xml.bin'],
  ['a Word document with macros', 'report.doc', bytes, 'report.doc.bin'],
  ['a spreadsheet with macros', 'report.xls', bytes, 'report.xls.bin'],
  ['a presentation with macros', 'report.ppt', bytes, 'report.ppt.bin'],
  ['a web page extension on an image', 'photo.html', 'image/png', 'photo.html.png'],
  ['no change for a generated web page', 'Chat.html', 'text/html', 'Chat.html'],
  ['a format without macros', 'report.docx', bytes, 'report.docx'],
  ['control characters', 'a\u0000b\nc.md', bytes, 'abc.md'],
  ['a name of separators only', '///', wav, 'file.wav'],
  ['only an extension', '.wav', wav, 'wav.wav'],
])('%s: %j', (_why, name, type, suggested) => {
  expect(saveName(name, type).suggestedName).toBe(suggested)
})

test.each([
  // The name, the content type, the imported name, the suggested name.
  ['report.html', bytes, 'report.html', 'report.html'],
  ['report.HTM', bytes, 'report.htm', 'report.HTM'],
  ['report.doc', bytes, 'report.doc', 'report.doc'],
  ['report.docx', bytes, 'report.docx', 'report.docx'],
  ['report.xls', bytes, 'report.xls', 'report.xls'],
  ['report.ppt', bytes, 'report.ppt', 'report.ppt'],
  ['report.xml', bytes, 'report.xml', 'report.xml'],
  ['Another title', bytes, 'report.html', 'Another title.html'],
  ['con.html', bytes, 'con.html', 'con_.html'],
  // A name other than the user's own gets no other extension, and content of a definite type keeps its own.
  ['report.hta', bytes, 'report.html', 'report.hta.html'],
  ['photo.html', 'image/png', 'photo.html', 'photo.html.png'],
])('%s of type %s, imported as %s, is saved as %s', (name, type, imported, suggested) => {
  expect(saveName(name, type, imported).suggestedName).toBe(suggested)
})

test('cuts a long name between graphemes, and keeps its extension', () => {
  const family = '👩‍👩‍👧‍👦'
  for (const letter of ['a', '会', family, 'e\u0301']) {
    const { suggestedName } = saveName(`${letter.repeat(500)}.json`, 'application/json')
    expect(Buffer.byteLength(suggestedName)).toBeLessThanOrEqual(140)
    expect(suggestedName.endsWith('.json')).toBe(true)
    expect(suggestedName.isWellFormed()).toBe(true)
  }
  expect(saveName(`${'word '.repeat(27)}end.md`, bytes).suggestedName).not.toMatch(/[ .]\.md$/)
})

test('every type of file has its own destination folder', () => {
  expect(saveName('a.mp3', 'audio/mpeg').use).toBe('audio')
  expect(saveName('a.mp4', 'video/mp4').use).toBe('video')
  expect(saveName('a.png', 'image/png').use).toBe('image')
  expect(saveName('a.docx', bytes).use).toBe('document')
  expect(saveName('a.npy', bytes).use).toBe('data')
  expect(saveName('a.zip', bytes).use).toBe('archive')
})
