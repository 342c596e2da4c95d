import { shortAddress } from '@postern/chains/text'
import { limits } from '@postern/protocol'
import { Button, ButtonLink, ButtonPair } from '@postern/ui/button'
import { Fact, Facts } from '@postern/ui/facts'
import { HeroTile } from '@postern/ui/hero-tile'
import { CautionIcon } from '@postern/ui/icons'
import { type TextKey, useLocale, useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { plainText } from '@postern/ui/plain-text'
import { ProgressPicture } from '@postern/ui/progress'
import { CoinsIcon } from '@postern/ui/view-icons'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useActions, useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useShortErrorMessage } from '../../view-kit/messages/short-error-message'
import { useNavigation, useRedirect } from '../../view-kit/navigation'
import { httpStatusOf } from '../blockchain-api'
import { EndActions } from '../transaction/EndActions'
import { formatPayment, formatPurchase } from './format-payment'
import styles from './on-ramp.module.css'
import { type Order, startOrder, useOnRampForm, useOnRampStore } from './order'
import { type Stage, stageOf } from './stage'

export default function OnRampReturn() {
  const host = useHost()
  const { form } = useOnRampForm()
  const { order } = form
  useRedirect(order === null ? 'OnRamp' : null)
  return order === null ? null : (
    <QueryClientProvider client={queryClientOf(host)}>
      <Purchase order={order} />
    </QueryClientProvider>
  )
}

function Purchase({ order }: { readonly order: Order }) {
  const t = useText()
  const locale = useLocale()
  const errorMessage = useShortErrorMessage()
  const { offer, address, networkId } = order
  const isClosed = useIsClosed(order)
  const news = useNews(order)
  const stage = stageOf(order, { isClosed, news })
  const symbol = plainText(offer.symbol, 12)
  const network = useSnapshot(({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId))
  const expected = order.expected === null ? symbol : `≈\u202F${formatPurchase(order.expected, locale)}\u00A0${symbol}`
  const got = order.purchase === null ? expected : `${formatPurchase(order.purchase.amount, locale)}\u00A0${symbol}`
  const failure = order.handOver.kind === 'failed' ? errorMessage(order.handOver) : ''
  return (
    <div className={styles.buy}>
      <Message
        picture={<Picture stage={stage} />}
        title={t(words[stage].title)}
        text={stage === 'unreachable' && failure !== '' ? failure : t(words[stage].text)}
        live
      />
      <Facts label={t('buy.purchase')}>
        <Fact name={t('buy.paid')}>
          <bdi>{formatPayment(order, locale)}</bdi>
        </Fact>
        {stage !== 'failed' && (
          <Fact name={t('buy.get')}>
            <bdi>{got}</bdi>
          </Fact>
        )}
        <Fact name={t('buy.to')}>
          <bdi title={address}>{shortAddress(address)}</bdi>
        </Fact>
        {network !== undefined && <Fact name={t('account.network')}>{network.name}</Fact>}
      </Facts>
      <Ways order={order} stage={stage} />
    </div>
  )
}

const words: Readonly<Record<Stage, { readonly title: TextKey; readonly text: TextKey }>> = {
  preparing: { title: 'buy.stage.preparing', text: 'buy.stage.preparingText' },
  link: { title: 'buy.stage.link', text: 'buy.stage.linkText' },
  waiting: { title: 'buy.stage.waiting', text: 'buy.stage.waitingText' },
  closed: { title: 'buy.stage.closed', text: 'buy.stage.closedText' },
  pending: { title: 'buy.stage.pending', text: 'buy.stage.pendingText' },
  delivered: { title: 'buy.stage.delivered', text: 'buy.stage.deliveredText' },
  failed: { title: 'buy.stage.failed', text: 'buy.stage.failedText' },
  unreachable: { title: 'buy.stage.unreachable', text: 'buy.stage.unreachableText' },
  lost: { title: 'buy.stage.lost', text: 'buy.stage.lostText' },
  untold: { title: 'buy.stage.untold', text: 'buy.stage.untoldText' },
}

function Picture({ stage }: { readonly stage: Stage }) {
  if (stage === 'delivered' || stage === 'preparing' || stage === 'waiting' || stage === 'pending')
    return (
      <ProgressPicture progress={stage === 'delivered' ? 'done' : 'running'}>
        <HeroTile>
          <CoinsIcon />
        </HeroTile>
      </ProgressPicture>
    )
  return (
    <MessageGlyph tone={stage === 'failed' || stage === 'unreachable' ? 'bad' : 'warn'}>
      <CautionIcon />
    </MessageGlyph>
  )
}

function Ways({ order, stage }: { readonly order: Order; readonly stage: Stage }) {
  const t = useText()
  const money = useMoney()
  const store = useOnRampStore()
  const { reset, replace } = useNavigation()
  const network = useSnapshot(({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === order.networkId))
  const toAccount = () => reset('Account')
  const done = (
    <Button
      tone="primary"
      onPress={() => {
        store.setState({ text: '' })
        toAccount()
      }}
    >
      {t('done')}
    </Button>
  )
  const again = () => void startOrder(store, order, money)
  const other = (
    <Button
      tone="secondary"
      onPress={() => {
        store.setState({ order: null })
        replace('OnRamp')
      }}
    >
      {t('buy.change')}
    </Button>
  )
  switch (stage) {
    case 'preparing':
    case 'pending':
      return (
        <Button tone="secondary" onPress={toAccount}>
          {t('buy.leave')}
        </Button>
      )
    case 'waiting':
      return other
    case 'untold':
      return (
        <ButtonPair>
          {other}
          {done}
        </ButtonPair>
      )
    case 'link':
      return order.handOver.kind === 'ready' ? (
        <ButtonLink tone="primary" href={order.handOver.url}>
          {t('buy.continue')}
        </ButtonLink>
      ) : null
    case 'closed':
    case 'lost':
    case 'failed':
    case 'unreachable':
      return (
        <ButtonPair>
          {other}
          <Button tone="primary" onPress={again}>
            {t(stage === 'closed' || stage === 'lost' ? 'buy.openAgain' : 'tryAgain')}
          </Button>
        </ButtonPair>
      )
    case 'delivered':
      return (
        <EndActions network={network} hash={order.purchase?.hash ?? null}>
          {done}
        </EndActions>
      )
  }
}

/**
 * Polls the seller every 4 s (spec §9) until the purchase ends; after the payment even while the modal is closed.
 * Balances reload on delivery, and on every poll if the gateway does not know the purchase (404).
 */
function useNews({ id, handOver: { kind }, purchase }: Order): 'none' | 'lost' | 'untold' {
  const { api } = useMoney()
  const { refreshBalance } = useActions()
  const open = useSnapshot((snapshot) => snapshot.open)
  const store = useOnRampStore()
  const isOver = purchase !== null && purchase.status !== 'pending'
  const query = useQuery({
    queryKey: ['onramp-purchase', id],
    queryFn: ({ signal }) => api.onRampPurchases(id, signal),
    enabled: (open || purchase !== null) && (kind === 'open' || kind === 'ready') && !isOver,
    refetchInterval: limits.rpcPollingInterval,
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  })
  const [newest = null] = query.data?.purchases ?? []
  useEffect(() => {
    const { order } = store.getState()
    if (newest === null || order?.id !== id) return
    store.setState({ order: { ...order, purchase: newest } })
    if (newest.status === 'delivered') refreshBalance()
  }, [newest, id, store, refreshBalance])
  const isUntold = httpStatusOf(query.error) === 404
  const { dataUpdatedAt, errorUpdatedAt } = query
  useEffect(() => {
    if (isUntold && errorUpdatedAt > dataUpdatedAt) refreshBalance()
  }, [isUntold, errorUpdatedAt, dataUpdatedAt, refreshBalance])
  return isUntold ? 'untold' : query.isError ? 'lost' : 'none'
}

/** How often the seller's window is checked. */
const checkIntervalMs = 500

/** Closing a window fires no event. */
function useIsClosed({ handOver }: Order): boolean {
  const opened = handOver.kind === 'open' ? handOver.window : null
  const [closed, setClosed] = useState(false)
  useEffect(() => {
    setClosed(false)
    if (opened === null) return
    const timer = setInterval(() => setClosed(opened.isClosed()), checkIntervalMs)
    return () => clearInterval(timer)
  }, [opened])
  return closed
}
