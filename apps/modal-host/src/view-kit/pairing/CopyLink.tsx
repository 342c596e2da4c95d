import { Button } from '@postern/ui/button'
import { useCopy } from '@postern/ui/copy'
import { useText } from '@postern/ui/locales/text'
import { Status } from '@postern/ui/unseen'
import { CheckIcon } from '@postern/ui/view-icons'
import type { Pairing } from '../../snapshot/contract'

/** For wallets that accept a pasted link. */
export function CopyLink({ pairing }: { readonly pairing: Pairing | undefined }) {
  const t = useText()
  const { copied, copy } = useCopy(t('pairing.copyFailed'))
  const uri = pairing?.kind === 'ready' ? pairing.uri : null
  return (
    <>
      <Button tone="secondary" disabled={uri === null} onPress={() => uri !== null && copy(uri)}>
        {copied && <CheckIcon small />}
        {copied ? t('pairing.copied') : t('pairing.copy')}
      </Button>
      <Status>{copied ? t('pairing.copied') : ''}</Status>
    </>
  )
}
