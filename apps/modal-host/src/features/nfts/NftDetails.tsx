import { explorerUrl } from '@postern/chains/adapter'
import { shortAddress } from '@postern/chains/text'
import type { Nft } from '@postern/protocol'
import { TextButton } from '@postern/ui/button'
import { useCopy } from '@postern/ui/copy'
import { Fact, Facts } from '@postern/ui/facts'
import { useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { Section } from '@postern/ui/section'
import { Status } from '@postern/ui/unseen'
import { ExplorerRow } from '../../view-kit/ExplorerRow'
import { useSnapshot } from '../../view-kit/host-context'
import { useAccountState } from '../account/account-state'
import { NftPicture } from './NftPicture'
import { addressOfContract, nameOfNft } from './nft-text'
import styles from './nfts.module.css'

/** Max traits shown: an NFT may have thousands. */
const maxTraits = 24

export default function NftDetails() {
  const { nft } = useAccountState()
  return nft === null ? null : <Details nft={nft} />
}

function Details({ nft }: { readonly nft: Nft }) {
  const t = useText()
  const network = useSnapshot(({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === nft.chainId))
  const contract = addressOfContract(nft.contract)
  const collection = plainText(nft.collection ?? '', 80)
  const description = plainText(nft.description ?? '', 280)
  // Trait names may repeat.
  const traits = nft.attributes
    .slice(0, maxTraits)
    .map(({ name, value }, key) => ({ key, name: plainText(name, 40), value: plainText(value, 80) }))
  const explorer = network?.blockExplorers[0]
  const href = network === undefined ? undefined : explorerUrl(network, 'address', contract)
  return (
    <div className={styles.details}>
      <NftPicture url={nft.imageUrl} />
      <div className={styles.head}>
        <p className={styles.title}>{nameOfNft(nft)}</p>
        {description !== '' && <p className={styles.about}>{description}</p>}
      </div>
      <Facts>
        {collection !== '' && <Fact name={t('nft.collection')}>{collection}</Fact>}
        <Fact name={t('nft.number')}>
          <span className={styles.code}>{plainText(nft.tokenId, 100)}</span>
        </Fact>
        {network !== undefined && <Fact name={t('account.network')}>{network.name}</Fact>}
        <Fact name={t('nft.contract')}>
          <CopiedAddress address={contract} />
        </Fact>
      </Facts>
      {traits.length > 0 && (
        <Section title={t('nft.traits')}>
          <Facts>
            {traits.map(({ key, name, value }) => (
              <Fact key={key} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
        </Section>
      )}
      {href !== undefined && explorer !== undefined && <ExplorerRow explorer={explorer.name} href={href} />}
    </div>
  )
}

function CopiedAddress({ address }: { readonly address: string }) {
  const t = useText()
  const { copied, copy } = useCopy(t('copyFailed'))
  return (
    <span className={styles.address}>
      <TextButton onPress={() => copy(address)}>
        <bdi title={address}>{shortAddress(address)}</bdi>
      </TextButton>
      <Status>{copied ? t('copied') : ''}</Status>
    </span>
  )
}
