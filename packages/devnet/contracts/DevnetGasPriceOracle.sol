// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A rollup's fee beyond gas × price, as in the OP stack and at its address there. Every byte costs the same, so that a test can
/// compute the fee. This chain is not a rollup and does not charge it.
/// Source: https://specs.optimism.io/protocol/fjord/predeploys.html#gaspriceoracle and …/isthmus/predeploys.html#gaspriceoracle
contract DevnetGasPriceOracle {
    string public constant version = "devnet";
    bool public constant isFjord = true;
    bool public constant isIsthmus = true;

    /// In wei per byte on the layer below.
    uint256 public constant feePerByte = 2000 gwei;
    /// Length of the signature, which an unsigned transaction does not have yet.
    uint256 private constant signatureBytes = 68;

    function getL1Fee(bytes calldata unsignedTransaction) external pure returns (uint256) {
        return feeOf(unsignedTransaction.length);
    }

    function getL1FeeUpperBound(uint256 unsignedSize) external pure returns (uint256) {
        return feeOf(unsignedSize);
    }

    function getOperatorFee(uint256 gasUsed) external pure returns (uint256) {
        return gasUsed * 1 gwei + 50000 gwei;
    }

    function feeOf(uint256 unsignedSize) private pure returns (uint256) {
        return (unsignedSize + signatureBytes) * feePerByte;
    }
}
