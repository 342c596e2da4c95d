import { useText } from '@postern/ui/locales/text'
import { QueryClientProvider } from '@tanstack/react-query'
import { activeAccount, currentNetwork } from '../../view-kit/connected-account'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { ErrorWithRetry } from '../../view-kit/messages/ErrorWithRetry'
import { BuyForm } from './BuyForm'
import { NotSoldHere } from './NotSoldHere'
import { offersOn, soldNetworks } from './offers'
import styles from './on-ramp.module.css'
import { useOptions } from './use-options'

export default function OnRamp() {
  return (
    <QueryClientProvider client={queryClientOf(useHost())}>
      <Shop />
    </QueryClientProvider>
  )
}

function Shop() {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const network = useSnapshot(currentNetwork)
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const { data: options, isError, isFetching, refetch } = useOptions()
  const connected = activeAccount({ connections, activeNetworkId })
  // The view briefly outlives its account.
  if (connected === null) return null
  if (options === undefined) return isError && !isFetching ? <NoSeller onRetry={refetch} /> : <LoadingView />
  const offers = network === null || connected.unsupported ? [] : offersOn(network.caipNetworkId, options)
  if (network !== null && offers.length > 0)
    return (
      <BuyForm
        key={`${network.caipNetworkId} ${connected.account.address}`}
        network={network}
        address={connected.account.address}
        offers={offers}
        options={options}
      />
    )
  const sold = soldNetworks(
    networks.map(({ caipNetworkId }) => caipNetworkId),
    options,
  )
  return <NotSoldHere network={network} others={networks.filter(({ caipNetworkId }) => sold.includes(caipNetworkId))} />
}

function NoSeller({ onRetry }: { readonly onRetry: () => unknown }) {
  const t = useText()
  return (
    <div className={styles.buy}>
      <ErrorWithRetry title={t('buy.unreachable')} text={t('buy.unreachableText')} onRetry={onRetry} />
    </div>
  )
}
