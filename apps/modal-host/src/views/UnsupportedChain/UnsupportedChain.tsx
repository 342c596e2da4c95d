import { useText } from '../../locales/text'
import { Button } from '../../ui/button'
import { CautionIcon } from '../../ui/icons'
import { Message, MessageGlyph } from '../../ui/message'
import { useActions, useSnapshot } from '../host-context'
import { NetworkList } from '../NetworkList'
import styles from './UnsupportedChain.module.css'

/** The wallet is where the dapp cannot follow: the ways on, and the way out (spec §4). */
export default function UnsupportedChain() {
  const t = useText()
  const { disconnect } = useActions()
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const app = useSnapshot((snapshot) => snapshot.metadata?.name) ?? t('unsupported.app')
  return (
    <div className={styles.unsupported}>
      <Message
        picture={
          <MessageGlyph tone="warn">
            <CautionIcon />
          </MessageGlyph>
        }
        title={t('unsupported.headline')}
        text={t('unsupported.text', { app })}
      />
      <NetworkList networks={networks} current={null} onDone={stay} />
      <Button tone="bad" onPress={() => void disconnect()}>
        {t('account.disconnect')}
      </Button>
    </div>
  )
}

/** Where to go when the network is known again is the router's to see (modal/follow.ts). */
function stay(): void {}
