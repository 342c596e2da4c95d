import { drawn } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { Row, RowGlyph } from '@postern/ui/row'
import { ForwardIcon } from '@postern/ui/view-icons'
import { useIsFetching } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { useIdentity } from '../identity/use-identity'
import { useOwnNames } from './own-names'

/** Only if the gateway registers names. */
export function NameRow({ address }: { readonly address: string }) {
  const suffix = useSnapshot(({ money }) => money.nameSuffix)
  return suffix === null ? null : <OnceKnown address={address} suffix={suffix} />
}

function OnceKnown({ address, suffix }: { readonly address: string; readonly suffix: string }) {
  const t = useText()
  const { name } = useIdentity(address)
  const isFetching = useIsFetching({ queryKey: ['identity', address.toLowerCase()] }) > 0
  if (name === null) return isFetching ? null : <WayToNames title={t('name.title')} />
  if (name.endsWith(suffix)) return <WayToNames title={t('names.row')} />
  return (
    <Suspense fallback={null}>
      <BesideAnother address={address} />
    </Suspense>
  )
}

/** A name from elsewhere does not rule out names of this registry. */
function BesideAnother({ address }: { readonly address: string }) {
  const t = useText()
  return useOwnNames(address).length === 0 ? null : <WayToNames title={t('names.row')} />
}

function WayToNames({ title }: { readonly title: string }) {
  const { push } = useNavigation()
  return (
    <li>
      <Row
        icon={
          <RowGlyph>
            <NameIcon />
          </RowGlyph>
        }
        title={title}
        trailing={<ForwardIcon small />}
        onPress={() => push('RegisterAccountName')}
      />
    </li>
  )
}

export const NameIcon = drawn(
  <>
    <rect x="3.25" y="5" width="13.5" height="11" rx="2.75" />
    <path d="M8 5V3.5h4V5M6.5 12.75c.3-1.2 1.1-1.8 2-1.8s1.7.6 2 1.8M13 9.5h.75M13 12.25h.75" />
    <circle cx="8.5" cy="9" r="1.1" />
  </>,
)
