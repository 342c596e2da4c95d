import { type Network, shownTokens } from '@postern/protocol'
import { Button } from '@postern/ui/button'
import { GroupHeading } from '@postern/ui/group-heading'
import { List } from '@postern/ui/list'
import { useText } from '@postern/ui/locales/text'
import listStyles from '@postern/ui/long-list.module.css'
import { Message, MessageGlyph } from '@postern/ui/message'
import { SearchField } from '@postern/ui/search-field'
import { CoinsIcon } from '@postern/ui/view-icons'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { activeAccount, currentNetwork } from '../../view-kit/connected-account'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useNavigation, useRedirect } from '../../view-kit/navigation'
import { SpamNotice } from '../account/SpamNotice'
import { usePortfolio } from '../portfolio/use-portfolio'
import styles from './send.module.css'
import { ofToken, useSendForm } from './send-form'
import { TokenButton } from './TokenButton'
import { matchingTokens, sendTokens } from './token'

export default function SendSelectToken() {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const network = useSnapshot(currentNetwork)
  const host = useHost()
  const connected = activeAccount({ connections, activeNetworkId })
  useRedirect(network === null ? 'Send' : null)
  if (connected === null || network === null) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Choice network={network} address={connected.account.address} />
    </QueryClientProvider>
  )
}

const worthSearching = 6
const maxRows = 100

function Choice({ network, address }: { readonly network: Network; readonly address: string }) {
  const t = useText()
  const { back } = useNavigation()
  const { form, change } = useSendForm()
  const [search, setSearch] = useState('')
  const [showsSpam, setShowsSpam] = useState(false)
  const { portfolio, status } = usePortfolio(network, address)
  if (portfolio === null && status === 'loading') return <LoadingView />
  const all = sendTokens(portfolio?.balances ?? [], network)
  const { tokens, hidden } = shownTokens(all, showsSpam)
  const { tokens: found, unlistedAt } = shownTokens(matchingTokens(tokens, search), true)
  return (
    <div className={styles.send}>
      {tokens.length > worthSearching && (
        <SearchField label={t('send.search')} clearLabel={t('all.clear')} value={search} onChange={setSearch} />
      )}
      {found.length === 0 ? (
        <>
          <Message
            picture={
              <MessageGlyph>
                <CoinsIcon />
              </MessageGlyph>
            }
            title={t('send.noToken')}
            live
          />
          {search !== '' && (
            <Button tone="secondary" onPress={() => setSearch('')}>
              {t('swap.showAll')}
            </Button>
          )}
        </>
      ) : (
        <div className={listStyles.scroller}>
          <List label={t('tokens.title')}>
            {found.slice(0, maxRows).map((token, index) => (
              <li key={token.key}>
                {index === unlistedAt && <GroupHeading>{t('tokens.unlistedTitle')}</GroupHeading>}
                <TokenButton
                  token={token}
                  network={network}
                  choice
                  current={token.key === form.token}
                  onPress={() => {
                    if (token.key !== form.token) change(ofToken(token.key))
                    back()
                  }}
                />
              </li>
            ))}
          </List>
        </div>
      )}
      {found.length > maxRows && (
        <p className={styles.note} role="status">
          {t('send.moreTokens', { count: found.length - maxRows })}
        </p>
      )}
      <SpamNotice hidden={hidden} isShown={showsSpam} toggle={() => setShowsSpam(!showsSpam)} />
      {portfolio?.partial !== false && (
        <p className={styles.note} role="status">
          {t('tokens.partial')}
        </p>
      )}
    </div>
  )
}
