/** Cards of the corpora of approvals. Query: `from` (the first one), `count`, `theme`, `locale`. */
import '@postern/ui/theme.css'
import { I18nProvider } from '@lingui/react'
import { textDirection } from '@postern/base/text-direction'
import { activateLocale, createText } from '@postern/ui/locales/text'
import { applyTheme } from '@postern/ui/theme'
import { createRoot } from 'react-dom/client'
import { ApprovalCard } from '../../wallet/src/approval/card/approval-card'
import { type CorpusCard, corpusCards } from '../../wallet/src/approval/testing/corpus-cards'
import './corpus.css'

const query = new URLSearchParams(location.search)
const from = Number(query.get('from'))
const text = createText()
const page = document.documentElement
applyTheme(page, {}, query.get('theme') === 'dark' ? 'dark' : 'light', (value) => CSS.supports('color', value))
await activateLocale(text, query.get('locale') ?? 'en')
page.dir = textDirection(text.locale)
const cards = await corpusCards()
const shown = cards.slice(from, from + Number(query.get('count')))
createRoot(document.body.appendChild(document.createElement('main'))).render(
  <I18nProvider i18n={text}>
    {shown.map((card, at) => (
      <Figure key={card.name} card={card} number={from + at + 1} />
    ))}
  </I18nProvider>,
)
// `shoot-corpus.ts` waits for it.
page.dataset['cards'] = `${cards.length}`
page.lang = text.locale

function Figure({ card, number }: { readonly card: CorpusCard; readonly number: number }) {
  const { name, network, request, intent } = card
  return (
    <figure>
      <figcaption>
        {number}. {name}
      </figcaption>
      <ApprovalCard
        {...{ request, intent }}
        network={{ name: network }}
        asker="dapp"
        dappName="Example"
        queued={1}
        isSigning={false}
        onApprove={() => {}}
        onReject={() => {}}
        watch={() => () => {}}
      />
    </figure>
  )
}
