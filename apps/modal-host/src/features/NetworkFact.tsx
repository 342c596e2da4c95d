import type { Network } from '@postern/protocol'
import { useText } from '../locales/text'
import { Fact } from '../ui/facts'
import { NetworkPicture } from '../ui/picture'
import styles from './network-fact.module.css'

/** Where it happens. */
export function NetworkFact({ network }: { readonly network: Pick<Network, 'name' | 'assets'> }) {
  const t = useText()
  return (
    <Fact name={t('account.network')}>
      <span className={styles.network}>
        <NetworkPicture src={network.assets?.imageUrl} size="small" />
        {network.name}
      </span>
    </Fact>
  )
}
