import type { Network } from '@postern/protocol'
import { Fact } from '@postern/ui/facts'
import { useText } from '@postern/ui/locales/text'
import { NetworkPicture } from '@postern/ui/picture'
import styles from './networks.module.css'

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
