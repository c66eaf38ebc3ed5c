const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/**
 * The most frequent words of any text, by language (ISO 639-1), folded like search text: no capitals, no diacritics. They
 * distinguish languages of the Latin script and carry little meaning of their own.
 */
export const commonWords: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    'a about after all also am an and any are as at be because been before being but by can could did do does for from get had has have he her here him his how i if in into is it its just like me more most my no not now of on one only or other our out over please s she should so some such t than that the their them then there these they this those to too up us use was we were what when where which while who why will with would you your',
  ),
  de: words(
    'aber alle als am an auch auf aus bei bin bis bitte das dass dem den der des die dies diese doch du durch ein eine einem einen einer er es fur habe haben hat ich ihr im in ist ja kann kein keine mehr mein mit muss nach nicht noch nur oder sein sich sie sind so uber um und uns unter vom von vor war was wenn wer werden wie wir wird wo zu zum zur',
  ),
  fr: words(
    'a ai alors au aux avec ce cela ces cette comme comment d dans de des deux du elle elles en est et etre eux fait il ils j je l la le les leur lui mais me mes moi mon n ne nos notre nous on ont ou par pas peut plus pour pourquoi qu quand que quel quelle qui s sa sans se ses si son sont sur tout tous tres tu un une vers vos votre vous y',
  ),
  es: words(
    'a al algo como con cual cuando de del desde donde dos el ella ellos en entre era es esa ese eso esta estan este esto fue ha hace han hasta hay la las le les lo los mas me mi muy nada ni no nos o otra otro para pero por porque puede que quien se ser si sin sobre son su sus tambien tiene todo todos tu un una uno usted y ya yo',
  ),
  it: words(
    'a ad ai al alla alle anche c che chi ci come con cosa cui da dal dalla degli dei del della delle di dove due e ed era gli ha hanno ho i il in io l la le lei lo loro lui ma mi mia mio molto ne nel nella noi non nostro o ogni per perche piu puo qual quale quando quello questa questo qui se sei si sia solo sono sono su sua sul sulla suo tra tu tutti tutto un una uno vi voi',
  ),
  pt: words(
    'a ao aos as ate com como da das de dela dele do dos e ela ele eles em entre era essa esse esta este eu foi ha isso ja la mais mas me mesmo meu muito na nas nao nem no nos nossa nosso num numa o onde os ou para pela pelo por porque pode qual quando que quem se sem ser seu seus so sua sao tambem tem tudo um uma voce voces',
  ),
  nl: words(
    'aan al alle als bij dan dat de deze die dit doen door dus een en er geen haar had heb hebben heeft het hier hij hoe hun ik in is ja je jij kan komt kunnen maar me meer men met mijn moet na naar niet nog nu of om omdat onder ons ook op over te tot u uit uw van veel voor waar was wat we wel werd wie wij wil worden zal ze zich zijn zo zonder zou',
  ),
  sv: words(
    'alla att av blir da de dem den denna det detta dig din du efter ej eller en er ett fran for ga han har hon hur i icke ikke inte jag kan kommer man med men mig min mot mycket nar ni nu och og om pa sa samma sig sin ska skal som till til under upp ut vad var vara vi vid ar eg er et jeg hva hvad ikke meg deg men pa blev blir',
  ),
  pl: words(
    'a ale bardzo bo by byc byl byla bylo co czy dla do gdzie go i ich ja jak jako je jego jej jest jestem jeszcze juz kiedy kto ktora ktore ktory lub ma mam mi mnie moze mozna my na nad nas nie nim niz o od on ona one oni oraz po pod prosze przez przy sa sie sobie ta tak tam te tego tej ten to tu ty tylko tym w wszystko z za ze',
  ),
  cs: words(
    'a aby ale ani az bez bude byl byla bylo by co dnes do i ja jak jako je jeho jej jejich jen jeste ji jsem jsme jsou k kde kdo kdy kdyz ktera ktere ktery ma mate me mezi mi muze my na nad nam nas ne nebo neni o od on ona oni pak po pod podle pokud pro proc protoze pred pri s se si sve ta tak take tam ten tento to toho tom tu ty uz v vam vas ve vsak za ze',
  ),
  tr: words(
    'ama ancak bana bazi ben benim bir biz bu bunu cok da daha de degil diye en gibi hangi hem hep her icin ile ise kadar ki kim mi mu nasil ne neden nerede o ol olan olarak oldu olur onlar onu sen siz sonra su ve veya ya yok zaman var',
  ),
  id: words(
    'ada adalah agar akan anda apa atau bagaimana bahwa bisa dalam dan dapat dari dengan di dia hanya harus ini itu jika juga kami kamu karena ke kepada kita lagi lebih mereka namun oleh pada para saat saja sangat saya sebuah sebagai secara sudah telah tentang tidak untuk yang',
  ),
  fi: words(
    'ei eika ennen etta han hanen he ja jo joka jos kaikki kanssa koska kuin kun me mika minun mina mutta myos ne niin nyt oli olen olet on ovat sen se siella sina sitten tai tama tassa te tama vain voi voin',
  ),
  ro: words(
    'acest aceasta am ar are asta au ca cand care ce cel cu cum da daca de din dintr dupa ea ei el este eu fara fi fie fost in la le lor mai mea meu mi mult nu o pe pentru poate prin sa sau se si sunt tu un una unde unei unui va vom',
  ),
  hu: words(
    'a az de e egy el es ez ezt fel ha hogy hogyan igen is itt ki le lesz lehet mar meg mert mi mint most nagyon ne nem o ott pedig s sem szerint van vagy vannak volt',
  ),
  vi: words(
    'ban cac cai cho co cua cung da den di do duoc gi hay khi khong la lam mot nay nao nguoi nhu nhung noi o ra rat se ta tai the thi toi trong tu va vao ve voi',
  ),
}

/** Chinese function characters. */
const functionCharacters = new Set(
  '的了是在和与及或我你您他她它们这那哪有不就都也很吗呢吧啊么什怎如何请把被对从到为以于而之其',
)

const hiragana = /^\p{sc=Hira}+$/u
const isGrammar = (char: string): boolean => functionCharacters.has(char) || hiragana.test(char)

const everyCommon: ReadonlySet<string> = new Set(
  Object.values(commonWords).flatMap((list) => Array.from(list)),
)

/**
 * Returns whether a search token has little meaning of its own: a common word (of English only, or of any language), or only
 * grammar.
 */
export function isCommon(token: string, english: boolean): boolean {
  const list = english ? commonWords['en'] : everyCommon
  return (list?.has(token) ?? false) || Array.from(token).every(isGrammar)
}
