/** Style of an exported chat for screen and paper, in both color schemes. */
export const chatStyle = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
header{border-bottom:1px solid var(--line);margin-bottom:1.5rem}
header p,small,summary,.attachments,.sources{color:color-mix(in srgb,currentColor 70%,transparent)}
h1,h2,h3{line-height:1.3}
article{margin:1.5rem 0;break-inside:auto}
article>h2{margin:0 0 .5rem;font-size:1rem}
article>h2 small{font-weight:400}
article>h3{margin:1rem 0 .25rem;font-size:.875rem}
.user{background:var(--soft);border-radius:10px;padding:.75rem 1rem}
.user>:last-child{margin-bottom:0}
.sources,.attachments{font-size:.875rem}
.error{border:1px dashed;padding:.5rem 1rem}
details{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:.25rem .75rem;font-size:.9375rem}
summary{cursor:pointer}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:1rem 0}
td,th{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;vertical-align:top}
.center{text-align:center}.right{text-align:right}.left{text-align:left}
pre{background:var(--soft);border-radius:8px;padding:.75rem 1rem;white-space:pre-wrap}
code{font-family:ui-monospace,"SF Mono",Consolas,"Noto Sans Mono CJK SC",monospace;font-size:.9em}
math[display=block]{margin:1rem 0;overflow-x:auto}
code.tex{white-space:pre-wrap}
blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid var(--line)}
:target{outline:2px solid Highlight}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}pre,table,blockquote{break-inside:avoid}}
`
