import type { Network } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { CoinsIcon } from '@postern/ui/view-icons'
import { NetworkList } from '../../view-kit/networks/NetworkList'
import styles from './on-ramp.module.css'

export function NotSoldHere({
  network,
  others,
}: {
  readonly network: Network | null
  readonly others: readonly Network[]
}) {
  const t = useText()
  return (
    <div className={styles.buy}>
      <Message
        picture={
          <MessageGlyph>
            <CoinsIcon />
          </MessageGlyph>
        }
        title={t('buy.nothing', { network: network?.name ?? t('account.unsupported') })}
        text={others.length > 0 ? t('buy.elsewhere') : t('buy.nowhere')}
      />
      {others.length > 0 && (
        <NetworkList
          label={t('networks.title')}
          networks={others}
          current={network?.caipNetworkId ?? null}
          onDone={() => undefined}
        />
      )}
    </div>
  )
}
