import { Button } from '@postern/ui/button'
import { CautionIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { Component, type ReactNode } from 'react'
import { viewFailure } from './build-gone'
import styles from './view-boundary.module.css'

/** `place` changes on navigation, which resets the error. */
type Props = { readonly place: string; readonly onFailure: () => void; readonly children: ReactNode }
type State = { readonly failed: boolean }

/** React error boundaries must be classes. */
export class ViewBoundary extends Component<Props, State> {
  override readonly state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override componentDidCatch(): void {
    this.props.onFailure()
    window.dispatchEvent(new Event(viewFailure))
  }

  override componentDidUpdate(before: Props): void {
    if (before.place !== this.props.place && this.state.failed) this.setState({ failed: false })
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed onRetry={() => this.setState({ failed: false })} /> : this.props.children
  }
}

function Failed({ onRetry }: { readonly onRetry: () => void }) {
  const t = useText()
  return (
    <div className={styles.failed}>
      <Message
        picture={
          <MessageGlyph tone="bad">
            <CautionIcon />
          </MessageGlyph>
        }
        title={t('view.failed')}
        text={t('view.failedHint')}
        live
      />
      <Button tone="primary" onPress={onRetry}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}
