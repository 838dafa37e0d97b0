! SPDX-License-Identifier: Apache-2.0
!
! libcollector.f90: the calls of libcollector.h for Fortran 2008. Compile it with the program:
!
!     gfortran -c "$(pkg-config --variable=includedir libcollector)/libcollector.f90"
!
!     use libcollector
!     call collector_region_begin("event")
!     ...
!     call collector_region_end("event")
!
! What each call does, and what a region is: libcollector.h. Blanks at the end of a name are no
! part of it. Without `collect --regions on` the calls do nothing; there is nothing to link with.
module libcollector
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: collector_region_begin, collector_region_end, collector_sample
  public :: collector_pause, collector_resume, collector_terminate_expt

  abstract interface
    subroutine named_call(name) bind(C)
      import :: c_char
      character(kind=c_char), intent(in) :: name(*)
    end subroutine
    subroutine plain_call() bind(C)
    end subroutine
  end interface

  interface
    function c_getenv(name) bind(C, name="secure_getenv") result(value)
      import :: c_char, c_ptr
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: value
    end function
    function c_dlopen(path, flags) bind(C, name="dlopen") result(library)
      import :: c_int, c_ptr
      type(c_ptr), value :: path
      integer(c_int), value :: flags
      type(c_ptr) :: library
    end function
    function c_dlsym(library, name) bind(C, name="dlsym") result(address)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: address
    end function
  end interface

  ! Threads that call at once for the first time find the same.
  type :: calls
    procedure(named_call), pointer, nopass :: region_begin => null(), region_end => null(), sample => null()
    procedure(plain_call), pointer, nopass :: pause => null(), resume => null(), terminate_expt => null()
  end type
  type(calls), save :: recorder
  logical, save :: looked = .false.

contains

  function named(library, name) result(call)
    type(c_ptr), intent(in) :: library
    character(len=*), intent(in) :: name
    procedure(named_call), pointer :: call
    type(c_funptr) :: address

    nullify(call)
    address = c_dlsym(library, "collector_" // name // c_null_char)
    if (c_associated(address)) call c_f_procpointer(address, call)
  end function

  function plain(library, name) result(call)
    type(c_ptr), intent(in) :: library
    character(len=*), intent(in) :: name
    procedure(plain_call), pointer :: call
    type(c_funptr) :: address

    nullify(call)
    address = c_dlsym(library, "collector_" // name // c_null_char)
    if (c_associated(address)) call c_f_procpointer(address, call)
  end function

  subroutine look()
    integer(c_int), parameter :: rtld_now = 2
    type(c_ptr) :: path, library

    path = c_getenv("RINGPROF_LIBRARY" // c_null_char)
    if (c_associated(path)) then
      library = c_dlopen(path, rtld_now)
      if (c_associated(library)) then
        recorder%region_begin => named(library, "region_begin")
        recorder%region_end => named(library, "region_end")
        recorder%sample => named(library, "sample")
        recorder%pause => plain(library, "pause")
        recorder%resume => plain(library, "resume")
        recorder%terminate_expt => plain(library, "terminate_expt")
      end if
    end if
    looked = .true.
  end subroutine

  subroutine collector_region_begin(name)
    character(len=*), intent(in) :: name

    if (.not. looked) call look()
    if (associated(recorder%region_begin)) call recorder%region_begin(trim(name) // c_null_char)
  end subroutine

  subroutine collector_region_end(name)
    character(len=*), intent(in) :: name

    if (.not. looked) call look()
    if (associated(recorder%region_end)) call recorder%region_end(trim(name) // c_null_char)
  end subroutine

  subroutine collector_sample(name)
    character(len=*), intent(in) :: name

    if (.not. looked) call look()
    if (associated(recorder%sample)) call recorder%sample(trim(name) // c_null_char)
  end subroutine

  subroutine collector_pause()
    if (.not. looked) call look()
    if (associated(recorder%pause)) call recorder%pause()
  end subroutine

  subroutine collector_resume()
    if (.not. looked) call look()
    if (associated(recorder%resume)) call recorder%resume()
  end subroutine

  subroutine collector_terminate_expt()
    if (.not. looked) call look()
    if (associated(recorder%terminate_expt)) call recorder%terminate_expt()
  end subroutine

end module
