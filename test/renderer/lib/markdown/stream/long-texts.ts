/** Texts with the typical content of answers, and with content that is hard to split. */
export const longTexts: readonly { readonly name: string; readonly text: string }[] = [
  {
    name: 'prose with headings',
    text: `# Title\n\nFirst *paragraph* with **strong** words,\nover two lines. And a [link](https://example.com/a "t").\n\nSetext one\n==========\ntext under it\n\nSetext two\nwith two lines\n---\n\n***\nAfter a rule\n## Second ##\nDirectly below\n> quoted\nlazy line\n\n    indented code\n\n    more of it\nnot code\n`,
  },
  {
    name: 'tight lists',
    text: `Before:\n- one\n- two with \`code\`\n  and a second line\n- three\n  - nested a\n  - nested b\n    - deeper\n- four\n\nAfter.\n1. first\n2. second\n   > quoted in it\n3) another list\n4) goes on\n* star\n+ plus\n+ plus two\n`,
  },
  {
    name: 'loose lists',
    text: `- one\n\n- two\n\n  second paragraph\n- three\n\n\n- four\n\n      code in it\n- five\n\n1. a\n\n   b\n\n2. c\n\n   \`\`\`js\n   let x = 1\n\n   let y\n   \`\`\`\n3. d\n\nEnd of it\n\n7. seven\n8. eight\n`,
  },
  {
    name: 'a list that becomes loose at its end',
    text: `${Array.from({ length: 12 }, (_, at) => `- item ${at} with words`).join('\n')}\n\n- the last one\nlazy\n\n-\n-  x\n- [ ] to do\n- [x] done\n\nno list`,
  },
  {
    name: 'tables',
    text: `Words\n| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | **4** |\n| \`x\` | $y$ |\nrow without bars\n| 5 |\n\nNot | a table\n\nx | y\n--|--\n1 | 2\n# heading\n\n| only | head |\n|---|---|\n\n| c |\n| -- |\n| 1 |\n- list\n`,
  },
  {
    name: 'code fences',
    text: `Text\n\`\`\`ts\nconst a = 1\n\n  const b = '\`\`\`'\n\`\`\`\nafter\n\n~~~~ py title\n\`\`\`\nprint(1)\n~~~\n~~~~\n\n  \`\`\`\n  two\n one\n   three\n\ttab\n  \`\`\`\n\n- item\n  \`\`\`sh\n  ls\n\n  pwd\n  \`\`\`\n- next\n\n\`\`\`\nnever closed\n\n# no heading\n- no list`,
  },
  {
    name: 'HTML',
    text: `<div align="center">\n<b>x</b>\n\n*inside*\n\n</div>\n\n<!-- a comment\n\nwith *lines* -->\nafter\n\n<script>\nvar a = 1\n\nvar b\n</script>\ntext <b>bold <i>both</b> i</i>\n\n<table><tr><td>1</td></tr></table>\n<span>inline</span> block\n<custom-one>\n*raw*\n\nend <img src=x> <br>\n`,
  },
  {
    name: 'references',
    text: `See [one] and [two][b] and ![pic][c] and [later].\n\n[one]: https://example.com/1 "First"\n[b]: <https://example.com/2>\n\nAgain [one], [B].\n\n- item [later]\n- item [none]\n\n[c]: /picture\n"Title\nof it"\n[later]:\nhttps://example.com/later\ntext right below [c]\n\n> [quoted]: https://example.com/q\n> x\n\nuses [quoted] [one]: no\n\n[one]: https://example.com/other\n`,
  },
  {
    name: 'formulas',
    text: `Inline $a^2$ and \\(b_1\\) and $5 and $6.\n\n$$\nx = y\n\n+ z\n$$\ntext\n$$ e = mc^2 $$\nmore text\n\\[\n\\frac{a}{b}\n\\]\n\nOpen here\n$$ never\n# heading\nclosed\n\nnext \\[1, 2\\]\n\\[1\\]\n\n- $$\n  k\n  $$\n- $$ open\n- b\n\n| $a|b$ | c |\n|---|---|\n| $x$ | $$y$$ |\n\n$$\nstays open\n\nto the end`,
  },
  {
    name: 'Chinese and emphasis',
    text: `根据资料，**结论如下：**<reference data-ref="1"></reference>会议于三月举行。<reference data-ref="2"/>\n第二行<reference data-ref="3,4"></reference>。\n\n- 第一<reference data-ref="12"></reference>\n- 第二 <reference data-ref='5' />\n\n> 引用<reference data-ref="6"></reference>\n>\n> — 来源\n\n| 名称 | 值 |\n|---|---|\n| 甲<reference data-ref="7"></reference> | 乙 |\n\n\`代码<reference data-ref="8"></reference>\`\n\n<reference data-ref="9"></reference>\n<reference data-ref="10"/>\n下一行 <ref <reference x <refer\r\n<reference data-ref="11">带文字</reference> 完\r\n<reference data-ref="99`,
  },
  {
    name: 'ordered lists with any start number',
    text: `0. zero\n1. one\n\n99) ninety-nine\n100) hundred\n     - nested\n\n       apart\n     - more\n       1. deep\n\n       2. deeper\n\n          \`\`\`\n          1. code\n          \`\`\`\n101) [later] item\n\n007. seven\n\n   | a | b |\n   |---|---|\n   | 1 | 2 |\n8. eight\n   ===\n9. nine\n---\n123456789. long\n1234567890. none\n\n[later]: /u\n- a\n1. b\n- c\n\n\n\n- d\n\n      code\n`,
  },
  {
    name: 'nested quotes',
    text: `> one\n> > two\n> > - item\n> >\n> >   apart\nlazy\n> # heading\n> Setext\n> ---\n> \`\`\`\n> code\n\n> \`\`\`js\n> let x\n> \`\`\`\n> | a |\n> |---|\n> | 1 |\n>\n> $$\n> x\n> $$\n> [late]\n>\n> <b>raw</b>\n> <div>\n> in it\n>\n> out\n- > quote in item\n  > more\n\n  > another\n- [late] x\n\n> [late]: https://example.com/l\n`,
  },
  {
    name: 'Chinese without spaces',
    text: `**注意：**本节说明**“重要”**内容，*斜体*与~~删除~~。\n标题一\n===\n正文紧接标题\n标题二\n---\n1. 第一点：\n   说明文字\n2. 第二点\n\n   另起一段\n\n| 列一 | 列二 |\n|:--|--:|\n| 甲（一） | **乙** |\n| 全角｜竖线 | \\| |\n\n> 引文：「甲」\n> 乙\n\n公式$E=mc^2$，价格$5元，\\(x\\)。\n\n　　全角缩进\n\n[链接][参考]和![图][参考]\n\n[参考]: https://example.com/参考 "题"\n`,
  },
]
