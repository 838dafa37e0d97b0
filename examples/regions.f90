! SPDX-License-Identifier: Apache-2.0
!
! Regions of a Fortran program:
!
!     gfortran -O2 -g libcollector.f90 regions.f90 -o regions
!     collect --regions on ./regions
!     er_print -regions test.1.er
program regions
  use libcollector
  implicit none
  integer :: event

  do event = 1, 20
    call collector_region_begin("event")
    call collector_region_begin("solve")
    call solve(event)
    call collector_region_end("solve")
    call collector_region_end("event")
  end do

contains

  subroutine solve(seed)
    integer, intent(in) :: seed
    real, allocatable :: a(:, :)
    integer :: i

    allocate(a(200, 200))
    a = real(seed)
    do i = 1, 10
      a = matmul(a, a)
      a = a / maxval(a)
    end do
    if (a(1, 1) < 0) print *, "impossible"
  end subroutine
end program
