// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The part of Farcaster's IdRegistry that returns the owner of a fid. Any account may register any owner.
/// Source: https://docs.farcaster.xyz/reference/contracts/reference/id-registry
contract DevnetIdRegistry {
    uint256 public idCounter;
    mapping(address owner => uint256 fid) public idOf;
    mapping(uint256 fid => address owner) public custodyOf;

    event Register(address indexed to, uint256 indexed id, address recovery, bytes extraData);

    error HasId();

    function register(address to) external returns (uint256 fid) {
        if (idOf[to] != 0) revert HasId();
        fid = ++idCounter;
        idOf[to] = fid;
        custodyOf[fid] = to;
        emit Register(to, fid, to, "");
    }
}
