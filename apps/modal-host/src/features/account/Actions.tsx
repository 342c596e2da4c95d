import type { Icon } from '@postern/ui/icons'
import { type TextKey, useText } from '@postern/ui/locales/text'
import { PlusIcon, ReceiveIcon, SendIcon, SwapIcon } from '@postern/ui/view-icons'
import { isOffered } from '../../snapshot/features'
import { activeAccount } from '../../view-kit/connected-account'
import { useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import styles from './actions.module.css'

type Action = { readonly view: 'Send' | 'Receive' | 'Swap' | 'OnRamp'; readonly title: TextKey; readonly icon: Icon }

const actions: readonly Action[] = [
  { view: 'Send', title: 'action.send', icon: SendIcon },
  { view: 'Receive', title: 'action.receive', icon: ReceiveIcon },
  { view: 'Swap', title: 'action.swap', icon: SwapIcon },
  { view: 'OnRamp', title: 'action.buy', icon: PlusIcon },
]

export function Actions() {
  const t = useText()
  const { push } = useNavigation()
  const features = useSnapshot((snapshot) => snapshot.features)
  const money = useSnapshot((snapshot) => snapshot.money)
  const namespace = useSnapshot((snapshot) => activeAccount(snapshot)?.namespace)
  const swapsHere = money.swapChainIds.some((id) => id.startsWith(`${namespace}:`))
  const offered = actions.filter(({ view }) => isOffered(view, { features, money }) && (view !== 'Swap' || swapsHere))
  if (offered.length === 0) return null
  return (
    <ul className={styles.actions}>
      {offered.map(({ view, title, icon: Glyph }) => (
        <li key={view}>
          <button type="button" className={styles.action} onClick={() => push(view)}>
            <Glyph className={styles.glyph} />
            {t(title)}
          </button>
        </li>
      ))}
    </ul>
  )
}
