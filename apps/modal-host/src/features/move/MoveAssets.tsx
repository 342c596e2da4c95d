import { type Network, type PreviousWallet, shownTokens } from '@postern/protocol'
import { Button, TextButton } from '@postern/ui/button'
import { FullAddress } from '@postern/ui/full-address'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { Row, RowGlyph } from '@postern/ui/row'
import { Section } from '@postern/ui/section'
import { ForwardIcon, TrashIcon } from '@postern/ui/view-icons'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectedAccounts } from '../../view-kit/connected-account'
import { useActions, useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useRedirect } from '../../view-kit/navigation'
import { SpamNotice } from '../account/SpamNotice'
import { loadNfts } from '../nfts/load-nfts'
import type { Scope } from '../portfolio/load-portfolio'
import { useHoldings } from '../portfolio/use-portfolio'
import { toSendToken } from '../send/token'
import { MoveRow } from './MoveRow'
import styles from './move.module.css'
import { type MoveItem, type MovePlace, moveItemOf } from './move-item'

/** What the previous wallet holds. One press for each asset sends it to the new wallet. */
export default function MoveAssets() {
  const host = useHost()
  const previous = useSnapshot((snapshot) => snapshot.embedded?.security?.previous ?? null)
  useRedirect(previous === null ? 'WalletSecurity' : null)
  if (previous === null) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <div className={styles.move}>{previous.locked === null ? <Held previous={previous} /> : <Locked />}</div>
    </QueryClientProvider>
  )
}

function Locked() {
  const t = useText()
  const { openWalletWindow } = useActions()
  return (
    <>
      <p className={styles.note}>{t('move.locked')}</p>
      <Button tone="primary" onPress={() => openWalletWindow('unlockPrevious')}>
        {t('move.unlock')}
      </Button>
    </>
  )
}

function Held({ previous }: { readonly previous: PreviousWallet }) {
  const t = useText()
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const connected = new Set(connectedAccounts({ connections }).map(({ namespace }) => namespace))
  const places = previous.accounts.flatMap((from) =>
    networks
      .filter(
        ({ caipNetworkId, chainNamespace }) => from.networkIds.includes(caipNetworkId) && connected.has(chainNamespace),
      )
      .map((network: Network): MovePlace => ({ network, from })),
  )
  return (
    <>
      <p className={styles.note}>{t('move.intro')}</p>
      {places.map((place) => (
        <Holdings key={`${place.network.caipNetworkId}:${place.from.address}`} place={place} />
      ))}
      <Notice tone="info" title={t('move.stays')} text={t('move.staysText')} />
      <DeletePrevious />
    </>
  )
}

function DeletePrevious() {
  const t = useText()
  const { openWalletWindow } = useActions()
  return (
    <Row
      icon={
        <RowGlyph>
          <TrashIcon />
        </RowGlyph>
      }
      title={t('move.delete')}
      detail={t('move.deleteHint')}
      trailing={<ForwardIcon small />}
      onPress={() => openWalletWindow('deletePrevious')}
    />
  )
}

function Holdings({ place }: { readonly place: MovePlace }) {
  const t = useText()
  const { network, from } = place
  const scopes: readonly Scope[] = [{ address: from.address, networks: [network], mayQueryWallet: false }]
  const { status, portfolio, retry } = useHoldings(scopes)
  const nfts = useNftsOf(scopes)
  const [showsSpam, setShowsSpam] = useState(false)
  const held = shownTokens(portfolio?.balances ?? [], showsSpam)
  const tokens = held.tokens.flatMap((balance) => {
    const token = toSendToken(balance, network)
    return token === null || token.balance === 0n ? [] : [{ kind: 'token', token } as const]
  })
  // The native currency pays the fees of the others.
  const native = tokens.filter(({ token }) => token.address === null)
  const others = tokens.filter(({ token }) => token.address !== null)
  const collectibles = (nfts.data ?? []).filter(({ nft }) => showsSpam || nft.isSpam !== true)
  const hidden = held.hidden + (nfts.data?.length ?? 0) - collectibles.length
  const all: readonly MoveItem[] = [...collectibles, ...others, ...native]
  const isPartial = portfolio?.partial === true || nfts.isError
  return (
    <Section title={t('move.place', { network: network.name, type: from.type })}>
      <div className={styles.note}>
        <FullAddress address={from.address} />
      </div>
      {status === 'failed' ? (
        <p className={styles.note} role="alert">
          {t('tokens.notLoaded')} <TextButton onPress={retry}>{t('tryAgain')}</TextButton>
        </p>
      ) : portfolio === null ? (
        <LoadingView />
      ) : all.length === 0 ? (
        !isPartial && <p className={styles.note}>{t('move.nothing')}</p>
      ) : (
        <ul className={styles.rows}>
          {all.map((item) => (
            <MoveRow key={item.token.key} place={place} item={item} />
          ))}
        </ul>
      )}
      <SpamNotice hidden={hidden} isShown={showsSpam} toggle={() => setShowsSpam(!showsSpam)} />
      {isPartial && (
        <p className={styles.note} role="status">
          {t('tokens.partial')}
        </p>
      )}
    </Section>
  )
}

function useNftsOf(scopes: readonly Scope[]) {
  const money = useMoney()
  const moves = useSnapshot((snapshot) => snapshot.moves)
  return useQuery({
    queryKey: [
      'nfts of the previous wallet',
      scopes.map(({ address }) => address).join(),
      scopes[0]?.networks[0]?.caipNetworkId,
      moves,
    ],
    async queryFn({ signal }) {
      const { items } = await loadNfts(money.api, scopes, null, signal)
      return items.map(moveItemOf)
    },
    networkMode: 'always',
    retry: false,
  })
}
