/** Style sheet of an exported page, for screen and paper in both color schemes. */
export const htmlStyle = `
:root{color-scheme:light dark}
body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
header,.mark,.missing{color:GrayText;font-size:.875rem}
.mark{border-top:1px solid;margin-top:2rem;padding-top:.25rem}
.missing{border:1px dashed;padding:.5rem 1rem}
h1,h2,h3{line-height:1.3}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:1rem 0}
td,th{border:1px solid GrayText;padding:.25rem .5rem;text-align:left;vertical-align:top}
.center{text-align:center}.right{text-align:right}.left{text-align:left}
img{max-width:100%;height:auto}
figure{margin:1rem 0}
pre{white-space:pre-wrap}
math[display=block]{margin:1rem 0;overflow-x:auto}
code.tex{white-space:pre-wrap}
@media print{body{margin:0;max-width:none}}
`
