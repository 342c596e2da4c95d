import { shortAddress } from '@postern/chains/text'
import { shownTokens, type TokenBalance } from '@postern/protocol'
import { Button } from '@postern/ui/button'
import { CurrentMark } from '@postern/ui/current-mark'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { Row } from '@postern/ui/row'
import { SearchField } from '@postern/ui/search-field'
import { Status } from '@postern/ui/unseen'
import { SearchIcon } from '@postern/ui/view-icons'
import { VirtualRows } from '@postern/ui/virtual-rows'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBalance } from '../../view-kit/format/format-amount'
import { useHost } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useNavigation, useRedirect } from '../../view-kit/navigation'
import { SpamNotice } from '../account/SpamNotice'
import { ListingTag } from '../portfolio/ListingTag'
import { usePortfolio } from '../portfolio/use-portfolio'
import { SwapPicture } from './SideField'
import styles from './swap.module.css'
import { balanceOfToken, ownFirst, type SwapToken, searchTokens, withToken } from './tokens'
import { type Swapper, useSwapForm, useSwapper, useSwapState, useSwapTokens } from './use-swap'

export default function SwapSelectToken() {
  const host = useHost()
  const found = useSwapper()
  const isGone = found !== null && !found.isSupported
  useRedirect(isGone ? 'Swap' : null)
  if (found === null || isGone) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Offered swapper={found.swapper} />
    </QueryClientProvider>
  )
}

function Offered({ swapper }: { readonly swapper: Swapper }) {
  const { data: tokens } = useSwapTokens(swapper)
  return tokens === undefined ? <LoadingView /> : <Choice swapper={swapper} tokens={tokens} />
}

const worthSearching = 6

function Choice({ swapper, tokens }: { readonly swapper: Swapper; readonly tokens: readonly SwapToken[] }) {
  const t = useText()
  const { back } = useNavigation()
  const [typed, setTyped] = useState('')
  const [showsSpam, setShowsSpam] = useState(false)
  const side = useSwapState((state) => state.side)
  const { form, change } = useSwapForm(swapper, tokens)
  const { portfolio } = usePortfolio(swapper.network, swapper.account.address)
  const balances = portfolio?.balances ?? []
  const offered = shownTokens(ownFirst(tokens, balances), showsSpam)
  const { tokens: found, unlistedAt } = shownTokens(searchTokens(offered.tokens, typed), true)
  return (
    <div className={styles.select}>
      {offered.tokens.length > worthSearching && (
        <SearchField label={t('swap.search')} clearLabel={t('all.clear')} value={typed} onChange={setTyped} />
      )}
      <Status>{typed === '' ? '' : t('swap.results', { count: found.length })}</Status>
      {found.length > 0 ? (
        <Tokens
          swapper={swapper}
          tokens={found}
          unlistedAt={unlistedAt}
          balances={balances}
          current={form[side]}
          onChoose={(id) => {
            change(withToken(form, side, id))
            back()
          }}
        />
      ) : (
        <>
          <Message
            picture={
              <MessageGlyph>
                <SearchIcon />
              </MessageGlyph>
            }
            title={t('swap.notFound')}
            text={t('swap.notFoundText', { network: swapper.network.name })}
          />
          {typed !== '' && (
            <Button tone="secondary" onPress={() => setTyped('')}>
              {t('swap.showAll')}
            </Button>
          )}
        </>
      )}
      <SpamNotice hidden={offered.hidden} isShown={showsSpam} toggle={() => setShowsSpam(!showsSpam)} />
    </div>
  )
}

type TokensProps = {
  readonly swapper: Swapper
  readonly tokens: readonly SwapToken[]
  readonly unlistedAt: number
  readonly balances: readonly TokenBalance[]
  readonly current: string | null
  readonly onChoose: (id: string) => void
}

function Tokens({ swapper, tokens, unlistedAt, balances, current, onChoose }: TokensProps) {
  const t = useText()
  return (
    <VirtualRows
      label={t('tokens.title')}
      count={tokens.length}
      keyOf={(index) => tokens[index]?.id}
      headingOf={(index) => (index === unlistedAt ? t('tokens.unlistedTitle') : undefined)}
      render={(index) => {
        const token = tokens[index]
        return (
          token !== undefined && (
            <TokenRow
              swapper={swapper}
              token={token}
              balance={balanceOfToken(balances, token)}
              current={token.id === current}
              onPress={() => onChoose(token.id)}
            />
          )
        )
      }}
    />
  )
}

function TokenRow({
  swapper,
  token,
  balance,
  current,
  onPress,
}: {
  readonly swapper: Swapper
  readonly token: SwapToken
  /** In smallest units; null if zero or unknown. */
  readonly balance: bigint | null
  readonly current: boolean
  readonly onPress: () => void
}) {
  const locale = useLocale()
  return (
    <Row
      icon={<SwapPicture swapper={swapper} token={token} />}
      title={token.name}
      badge={<ListingTag listing={token.listing} />}
      // Tokens may share a name, but not an address.
      detail={
        <bdi>
          {token.symbol}
          {!token.isNative && ` · ${shortAddress(token.address)}`}
        </bdi>
      }
      current={current}
      {...((balance !== null || current) && {
        trailing: (
          <>
            {balance !== null && <bdi>{formatBalance(balance, token.decimals, locale)}</bdi>}
            {current && <CurrentMark />}
          </>
        ),
      })}
      onPress={onPress}
    />
  )
}
