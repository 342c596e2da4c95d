import { shortAddress } from '@postern/chains/text'
import type { Network, SmartSession } from '@postern/protocol'
import { Button } from '@postern/ui/button'
import { Fact, Facts } from '@postern/ui/facts'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { Notice } from '@postern/ui/notice'
import { plainText } from '@postern/ui/plain-text'
import { Tag } from '@postern/ui/row'
import { KeyIcon } from '@postern/ui/view-icons'
import { QueryClientProvider, useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { ErrorWithRetry } from '../../view-kit/messages/ErrorWithRetry'
import { readError } from '../../view-kit/messages/read-error'
import { useShortErrorMessage } from '../../view-kit/messages/short-error-message'
import { useRedirect } from '../../view-kit/navigation'
import { evmAddress, evmNetworkId } from '../names/evm-account'
import { usePortfolio } from '../portfolio/use-portfolio'
import { usePermissionText } from './permission-text'
import { revoke } from './revoke'
import { expiryOf, inOrder, stateOf } from './session-state'
import styles from './smart-sessions.module.css'

export default function SmartSessions() {
  const host = useHost()
  const address = useSnapshot(evmAddress)
  const networkId = useSnapshot(evmNetworkId)
  const network = useSnapshot(({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId))
  // Home reports an unsupported network.
  useRedirect(address === null || network === undefined ? 'Account' : null)
  if (address === null || network === undefined) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Sessions network={network} address={address} />
    </QueryClientProvider>
  )
}

type Account = { readonly network: Network; readonly address: string }

function Sessions({ network, address }: Account) {
  const t = useText()
  const { api, clock } = useMoney()
  const account = `${network.caipNetworkId}:${address}`
  const query = useQuery({
    queryKey: ['sessions', account],
    queryFn: ({ signal }) => api.smartSessions(account, signal),
    staleTime: 0,
    retry: false,
  })
  if (query.data === undefined)
    return query.isError && !query.isFetching ? (
      <div className={styles.sessions}>
        <ErrorWithRetry title={t('sessions.failed')} text={t('sessions.failedHint')} onRetry={query.refetch} />
      </div>
    ) : (
      <LoadingView />
    )
  const now = clock.now()
  const sessions = inOrder(query.data.pcis, now)
  if (sessions.length === 0)
    return (
      <Message
        picture={
          <MessageGlyph>
            <KeyIcon />
          </MessageGlyph>
        }
        title={t('sessions.empty')}
        text={t('sessions.emptyHint')}
      />
    )
  return (
    <div className={styles.sessions}>
      <p className={styles.note}>{t('sessions.intro', { network: network.name })}</p>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <li key={session.pci}>
            <Session session={session} network={network} address={address} now={now} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Session({
  session,
  network,
  address,
  now,
}: Account & { readonly session: SmartSession; readonly now: number }) {
  const t = useText()
  const locale = useLocale()
  const { portfolio } = usePortfolio(network, address)
  const permissionText = usePermissionText(portfolio?.balances ?? [])
  const state = stateOf(session, now)
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(expiryOf(session))
  const name = session.project.name
  return (
    <article className={styles.session} data-ended={state !== 'active' || undefined}>
      <h2 className={styles.title}>
        <span className={styles.name} title={plainText(name, 128)}>
          {/^0x[0-9a-f]{40}$/i.test(name) ? shortAddress(name) : plainText(name)}
        </span>
        <Tag tone={state === 'active' ? 'active' : 'quiet'}>{t(states[state])}</Tag>
      </h2>
      <Facts>
        {[...new Set(session.permissions.map(permissionText))].map((text) => (
          <Fact key={text} name={t('sessions.may')}>
            <bdi>{text}</bdi>
          </Fact>
        ))}
        <Fact name={t('sessions.until')}>{until}</Fact>
      </Facts>
      {state === 'active' && <Revoke pci={session.pci} account={`${network.caipNetworkId}:${address}`} />}
    </article>
  )
}

const states = { active: 'sessions.active', expired: 'sessions.expired', revoked: 'sessions.revoked' } as const

/** The wallet revokes on chain; a service with its own list is notified. */
function Revoke({ pci, account }: { readonly pci: string; readonly account: string }) {
  const t = useText()
  const errorMessage = useShortErrorMessage()
  const money = useMoney()
  const queries = useQueryClient()
  const key = ['revoke', pci]
  const { mutate } = useMutation({
    mutationKey: key,
    mutationFn: () => revoke(money, { pci, account }),
    // Also after a partial failure.
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions', account] }),
  })
  // The wallet's prompt remounts this view, so only the query client has the state.
  const last = useMutationState({
    filters: { mutationKey: key },
    select: ({ state }) => ({ status: state.status, error: state.error }),
  }).at(-1)
  const failure = last?.status === 'error' ? readError(last.error) : null
  return (
    <>
      {failure !== null && (
        <Notice tone="warn" title={failure.code === 'USER_REJECTED' ? t('sessions.kept') : errorMessage(failure)} />
      )}
      <Button tone="bad" busy={last?.status === 'pending'} onPress={() => mutate()}>
        {t('sessions.revoke')}
      </Button>
    </>
  )
}
