import { describe, expect, test } from 'vitest'
import {
  filledAddresses,
  imageAddresses,
  withAddresses,
  withOwnImages,
} from '../../../../../../src/main/domains/documents/worker/reading/image-links.ts'
import { remoteHost } from '../../../../../../src/shared/documents/remote-host.ts'
import type { BlockKind } from '../../../../../../src/shared/model/document.ts'

const content = (text: string, kind: BlockKind = 'text'): { kind: BlockKind; content: string } => ({
  kind,
  content: text,
})

describe('addresses of remote images', () => {
  test('are found in Markdown, tables, figures and visualizations, each once', () => {
    const found = imageAddresses(
      [
        content(
          'a ![x](https://host/1.png "title") b ![](<http://host/2.png>) [no](https://host/3)',
        ),
        content('![a](https://host/a(1).png)![b]( https://host/b.png )'),
        content('<td><img alt="a > b" src="https://host/4.png?a=1&amp;b=2"/></td>', 'table'),
        content("<IMG SRC='https://host/5.png'><img src=https://host/6.png>", 'table'),
        content(' https://host/7.png\n', 'figure'),
        content('https://host/words.png'),
        content('![again](https://host/1.png)'),
      ],
      ['https://host/8.jpg', 'https://host/1.png'],
    )
    expect(found).toEqual([
      'https://host/1.png',
      'http://host/2.png',
      'https://host/a(1).png',
      'https://host/b.png',
      'https://host/4.png?a=1&b=2',
      'https://host/5.png',
      'https://host/6.png',
      'https://host/7.png',
      'https://host/8.jpg',
    ])
  })

  test('are attributed to the provider only in visualizations and link-only figures', () => {
    const found = filledAddresses(
      [
        content(' https://host/figure.png\n', 'figure'),
        content('![](https://host/printed.png)', 'figure'),
        content('https://host/words.png'),
        content('<img src="https://host/cell.png">', 'table'),
      ],
      ['https://host/layout.jpg'],
    )
    expect(found).toEqual(['https://host/figure.png', 'https://host/layout.jpg'])
  })

  test.each([
    'file:///etc/passwd',
    'ftp://host/x.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    '//host/x.png',
    'doc:abc',
    'page=0,bbox=[1,2,3,4]',
    'https://',
    'https://user:secret@host/x.png',
    `https://host/${'x'.repeat(5000)}`,
  ])('are not detected in %s', (address) => {
    expect(remoteHost(address)).toBeNull()
    expect(imageAddresses([content(`![](${address})`), content(address, 'figure')])).toEqual([])
  })

  test('are found quickly in hostile texts', () => {
    for (const fragment of [
      '![',
      '![](',
      '![](https://h/',
      '<img ',
      '<img src=',
      '<img "',
      "('",
      '((',
    ])
      expect(imageAddresses([content(fragment.repeat(100_000 / fragment.length))])).toEqual([])
  })
})

describe('images of the library', () => {
  const ids = new Map([
    ['https://host/1.png', 'm1'],
    ['https://host/2.png?a=1&b=2', 'm2'],
  ])
  const idOf = (address: string): string | null => ids.get(address) ?? null
  const addressOf = (id: string): string | null => (id.startsWith('m') ? `/media/${id}?x&y` : null)

  test.each<[string, BlockKind, string, string]>([
    [
      'a ![x](https://host/1.png "t") ![](https://host/9.png)',
      'text',
      'a ![x](doc:m1 "t") ![](https://host/9.png)',
      'a ![x](/media/m1?x&y "t") ![](https://host/9.png)',
    ],
    [
      '<img src="https://host/2.png?a=1&amp;b=2" alt="https://host/1.png">',
      'table',
      '<img src="doc:m2" alt="https://host/1.png">',
      '<img src="/media/m2?x&amp;y" alt="https://host/1.png">',
    ],
    ['https://host/1.png', 'figure', 'doc:m1', '/media/m1?x&y'],
    ['https://host/1.png', 'text', 'https://host/1.png', 'https://host/1.png'],
    ['![](doc:zz)', 'text', '![](doc:zz)', '![](doc:zz)'],
  ])('replace %s', (text, kind, own, shown) => {
    const saved = withOwnImages({ kind, content: text }, idOf)
    expect(saved).toBe(own)
    expect(withAddresses({ kind, content: saved }, addressOf)).toBe(shown)
  })
})
